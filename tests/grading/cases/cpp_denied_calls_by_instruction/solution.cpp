// Right only if every call of the kernel, made past the C library, is refused. Arguments are such
// that most would work where nothing guards.
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

static char buffer[4096];
static long vector[2] = {reinterpret_cast<long>(buffer), 64};
static long eights[2] = {8, 8};
static unsigned capabilities[2] = {0x20080522, 0};

static long call(long n, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#else
  return syscall(n, a, b, c, d, e, f) < 0 ? -errno : 0;
#endif
}

static long at(const void* place) { return reinterpret_cast<long>(place); }

long long pair_sum(long long a, long long b) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return 0;
  const long out = pipe_ends[0], in = pipe_ends[1], me = getpid();
  const long calls[][7] = {
      {SYS_ptrace, 0, 0, 0, 0},
      {SYS_process_vm_readv, me, at(vector), 1, at(vector), 1, 0},
      {SYS_process_vm_writev, me, at(vector), 1, at(vector), 1, 0},
      {SYS_kcmp, me, me, 1, 0, 0},
      {SYS_perf_event_open, at(buffer), 0, -1, -1, 0},
      {SYS_bpf, 0, at(buffer), 128},
      {SYS_userfaultfd, 1},
      {SYS_io_uring_setup, 8, at(buffer)},
      {SYS_keyctl, 0, -2, 1},
      {SYS_add_key, at("user"), at("name"), at("value"), 5, -2},
      {SYS_request_key, at("user"), at("name"), 0, -2},
      {SYS_seccomp, 2, 0, at(buffer)},
      {SYS_prctl, 4, 1, 0, 0, 0},
      {SYS_prctl, 22, 1, 0, 0, 0},
      {SYS_prctl, 1, 0, 0, 0, 0},
      {SYS_personality, 0x0040000},
      {SYS_setns, out, 0},
      {SYS_unshare, 0x10000000},
      {SYS_mount, at("tmpfs"), at("/tmp"), at("tmpfs"), 0, 0},
      {SYS_umount2, at("/tmp"), 2},
      {SYS_pivot_root, at("/tmp"), at("/tmp")},
      {SYS_chroot, at("/tmp")},
      {SYS_reboot, 0xfee1dead, 672274793, 0},
      {SYS_kexec_load, 0, 0, 0, 0},
      {SYS_init_module, at(buffer), 128, at("")},
      {SYS_finit_module, out, at(""), 0},
      {SYS_swapon, at("/tmp"), 0},
      {SYS_syslog, 3, at(buffer), 128},
      {SYS_quotactl, 0x80000100, 0, 0, 0},
      {SYS_fanotify_init, 0x200, 0},
      {SYS_inotify_init1, 0},
      {SYS_shmget, 7777, 4096, 01666},
      {SYS_semget, 7777, 1, 01666},
      {SYS_msgget, 7777, 01666},
      {SYS_mq_open, at("left"), 0102, 0600, 0},
      {SYS_memfd_create, at("store"), 0},
      {SYS_mlockall, 3},
      {SYS_mlock, at(buffer), 128},
      {SYS_vmsplice, in, at(vector), 1, 0},
      {SYS_splice, out, 0, in, 0, 1, 0},
      {SYS_setpriority, 0, 0, 5},
      {SYS_sched_setaffinity, 0, 8, at(eights)},
      {SYS_sched_setscheduler, 0, 5, at(capabilities)},
      {SYS_setrlimit, 7, at(eights)},
      {SYS_prlimit64, 0, 7, at(eights), 0},
      {SYS_prlimit64, 1, 7, 0, at(buffer)},
      {SYS_ioctl, 1, 0x5412, at("x")},
      {SYS_ioctl, 1, 0x541c, at("x")},
      {SYS_ioctl, 0, 0x540e, 1},
      {SYS_fcntl, out, 1031, 1 << 20},
      {SYS_fcntl, out, 8, me},
      {SYS_pidfd_open, me, 0},
      {SYS_pidfd_getfd, out, 0, 0},
      {SYS_pidfd_send_signal, out, 9, 0, 0},
      {SYS_kill, -1, 9},
      {SYS_kill, 1, 9},
      {SYS_tgkill, 1, 1, 9},
      {SYS_tkill, 1, 9},
      {SYS_rt_sigqueueinfo, 1, 9, at(buffer)},
      {SYS_setuid, 0},
      {SYS_capset, at(capabilities), at(buffer)},
      {SYS_setsid},
      {SYS_socket, 1, 1, 0},
      {SYS_socketpair, 1, 1, 0, at(buffer)},
      {SYS_bind, 0, at(buffer), 16},
      {SYS_connect, 0, at(buffer), 16},
      {SYS_open_by_handle_at, -100, at(capabilities), 0},
      {SYS_landlock_create_ruleset, 0, 0, 1},
#if defined(__x86_64__)
      {SYS_iopl, 3},
      {SYS_ioperm, 0, 8, 1},
      {SYS_modify_ldt, 0, at(buffer), 16},
#endif
  };
  for (const auto& each : calls) {
    const long result = call(each[0], each[1], each[2], each[3], each[4], each[5], each[6]);
    if (result != -EPERM && result != -ENOSYS) {
      throw std::runtime_error(std::to_string(each[0]) + " gave " + std::to_string(result));
    }
  }
  return a + b;
}
