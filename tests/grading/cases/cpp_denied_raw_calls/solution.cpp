// Calls of the kernel by number, past the C library; each has to be refused.
#include <cerrno>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

static long call(long number, long first, long second, long third) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
#else
  return syscall(number, first, second, third, 0L) < 0 ? -errno : 0;
#endif
}

long long pair_sum(long long a, long long b) {
  const long numbers[] = {
#if defined(__x86_64__)
      SYS_fork,          SYS_vfork,
#endif
      SYS_execve,        SYS_ptrace,      SYS_clone,
      SYS_bpf,           SYS_userfaultfd, SYS_io_uring_setup, SYS_add_key,     SYS_keyctl,
      SYS_perf_event_open, SYS_setns,     SYS_unshare,        SYS_mount,       SYS_pivot_root,
      SYS_chroot,        SYS_reboot,      SYS_personality,    SYS_seccomp,     SYS_memfd_create,
      SYS_pidfd_open,    SYS_process_vm_readv, SYS_shmget,    SYS_semget,      SYS_msgget,
      SYS_mlockall,      SYS_setpriority, SYS_sched_setaffinity, SYS_socketpair, SYS_mknodat,
      SYS_fchmod,        SYS_fchown,      SYS_symlinkat,      SYS_linkat,      SYS_setrlimit,
      SYS_open_by_handle_at, SYS_fanotify_init, SYS_init_module, SYS_kcmp,      SYS_quotactl};
  for (long number : numbers) {
    const long result = call(number, 0, 0, 0);
    if (result != -EPERM && result != -ENOSYS) {
      throw std::runtime_error(std::to_string(number) + " gave " + std::to_string(result));
    }
  }
  return a + b;
}
