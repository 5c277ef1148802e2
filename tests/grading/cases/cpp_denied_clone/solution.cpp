#include <cerrno>
#include <csignal>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  const long wishes[] = {SIGCHLD, CLONE_VM | SIGCHLD, CLONE_VM | CLONE_VFORK | SIGCHLD,
                         CLONE_NEWUSER | SIGCHLD, CLONE_NEWPID | CLONE_NEWUSER | SIGCHLD};
  for (long flags : wishes) {
    if (syscall(SYS_clone, flags, 0, 0, 0, 0) != -1) throw std::runtime_error("clone");
  }
  if (syscall(SYS_clone3, nullptr, 0) != -1 || errno != ENOSYS) throw std::runtime_error("clone3");
  return a + b;
}
