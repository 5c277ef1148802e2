"""System call numbers of the two supported machine types.

Owns the table only; which calls a box may make is submissions_sandbox.seccomp's. A dash means that
the machine type has no such call. Numbers are the kernel's ABI (asm/unistd_64.h on x86_64,
asm-generic/unistd.h on aarch64) and never change.
"""

import platform

_TABLE = """
access 21 -
alarm 37 -
arch_prctl 158 -
brk 12 214
chdir 80 49
clock_getres 229 114
clock_gettime 228 113
clock_nanosleep 230 115
clone 56 220
clone3 435 435
close 3 57
dup 32 23
dup2 33 -
dup3 292 24
epoll_create 213 -
epoll_create1 291 20
epoll_ctl 233 21
epoll_pwait 281 22
epoll_pwait2 441 441
epoll_wait 232 -
eventfd2 290 19
execve 59 221
execveat 322 281
exit 60 93
exit_group 231 94
faccessat 269 48
faccessat2 439 439
fadvise64 221 223
fallocate 285 47
fchdir 81 50
fcntl 72 25
fdatasync 75 83
fgetxattr 193 10
flistxattr 196 13
fork 57 -
fstat 5 80
fstatfs 138 44
fsync 74 82
ftruncate 77 46
futex 202 98
get_robust_list 274 100
getcpu 309 168
getcwd 79 17
getdents 78 -
getdents64 217 61
getegid 108 177
geteuid 107 175
getgid 104 176
getgroups 115 158
getitimer 36 102
getpgid 121 155
getpgrp 111 -
getpid 39 172
getppid 110 173
getpriority 140 141
getrandom 318 278
getresgid 120 150
getresuid 118 148
getrlimit 97 163
getrusage 98 165
getsid 124 156
gettid 186 178
gettimeofday 96 169
getuid 102 174
getxattr 191 8
ioctl 16 29
kill 62 129
lgetxattr 192 9
listxattr 194 11
llistxattr 195 12
lseek 8 62
lstat 6 -
madvise 28 233
membarrier 324 283
mincore 27 232
mkdir 83 -
mkdirat 258 34
mmap 9 222
mprotect 10 226
mremap 25 216
msync 26 227
munmap 11 215
nanosleep 35 101
newfstatat 262 79
open 2 -
openat 257 56
pause 34 -
pipe 22 -
pipe2 293 59
poll 7 -
ppoll 271 73
prctl 157 167
pread64 17 67
prlimit64 302 261
pselect6 270 72
pwrite64 18 68
read 0 63
readlink 89 -
readlinkat 267 78
readv 19 65
rename 82 -
renameat 264 38
renameat2 316 276
restart_syscall 219 128
rmdir 84 -
rseq 334 293
rt_sigaction 13 134
rt_sigpending 127 136
rt_sigprocmask 14 135
rt_sigreturn 15 139
rt_sigsuspend 130 133
rt_sigtimedwait 128 137
sched_get_priority_max 146 125
sched_get_priority_min 147 126
sched_getaffinity 204 123
sched_getparam 143 121
sched_getscheduler 145 120
sched_yield 24 124
seccomp 317 277
select 23 -
set_robust_list 273 99
set_tid_address 218 96
setitimer 38 103
sigaltstack 131 132
socketpair 53 199
stat 4 -
statfs 137 43
statx 332 291
sysinfo 99 179
tgkill 234 131
time 201 -
times 100 153
tkill 200 130
truncate 76 45
umask 95 166
uname 63 160
unlink 87 -
unlinkat 263 35
utimensat 280 88
vfork 58 -
wait4 61 260
waitid 247 95
write 1 64
writev 20 66
"""

# AUDIT_ARCH_* of linux/audit.h, what seccomp_data.arch holds.
AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def machine() -> str:
    """The machine type as the kernel names it, ``x86_64`` or ``aarch64``.

    Raises:
        OSError: another machine type, for which no filter can be built.
    """
    name = platform.machine()
    if name not in AUDIT_ARCHITECTURES:
        raise OSError(f"machine type {name} is not supported: x86_64 and aarch64 are")
    return name


def numbers(machine_type: str) -> dict[str, int]:
    """Call name to number for one machine type."""
    column = 1 + list(AUDIT_ARCHITECTURES).index(machine_type)
    rows = (line.split() for line in _TABLE.strip().splitlines())
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
