// Right only if every act is refused; in a child that was made after all, a wrong value is written.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

static void made(int act, long result) {
  if (result == 0) _exit(write(3, "V\1\0\0\0\0\0\0\0", 9) > 0);
  if (result > 0) throw std::runtime_error("act " + std::to_string(act));
}

long long pair_sum(long long a, long long b) {
  made(1, fork());
  made(2, vfork());
  const long flags[] = {0, SIGCHLD, CLONE_VM | SIGCHLD, CLONE_VM | CLONE_VFORK, CLONE_NEWUSER | SIGCHLD,
                        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | SIGCHLD, CLONE_PARENT | SIGCHLD,
                        CLONE_THREAD | CLONE_SIGHAND | CLONE_VM | CLONE_NEWNET};
  for (long flag : flags) made(3, syscall(SYS_clone, flag, 0, 0, 0, 0));
  long long whole[11] = {0, 0, 0, 0, SIGCHLD};
  made(4, syscall(SYS_clone3, whole, sizeof whole));
  char shell[] = "/bin/sh", word[] = "-c", act[] = "exit 1";
  char* argv[] = {shell, word, act, nullptr};
  char* none[] = {nullptr};
  pid_t pid = 0;
  if (posix_spawn(&pid, shell, nullptr, nullptr, argv, none) == 0) throw std::runtime_error("spawn");
  if (FILE* pipe = popen("exit 1", "r"); pipe != nullptr && pclose(pipe) == 0x100) throw std::runtime_error("popen");
  const int loader = open("/lib64/ld-linux-x86-64.so.2", O_RDONLY);
  execve(shell, argv, none);
  execve("/lib64/ld-linux-x86-64.so.2", argv, none);
  fexecve(loader, argv, none);
  syscall(SYS_execveat, loader, "", argv, none, 0x1000);
  for (int descriptor = 0; descriptor < 16; ++descriptor) {
    syscall(SYS_execveat, descriptor, "", argv, none, 0x1000);
    fexecve(descriptor, argv, none);
  }
  return a + b;
}
