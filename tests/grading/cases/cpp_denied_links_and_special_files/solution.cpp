// Right only if every act is refused: no name of a box may lead out of it, nor make whoever opens it
// wait.
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  const int file = open("/tmp/file", O_CREAT | O_RDWR, 0600);
  const char* library = "/lib64/ld-linux-x86-64.so.2";
  const int seen = open(library, O_PATH);
  const std::string again = "/proc/self/fd/" + std::to_string(seen);
  const int results[] = {
      symlink("/etc/passwd", "/tmp/link"),
      link("/tmp/file", "/tmp/link"),
      link(library, "/tmp/link"),
      linkat(file, "", AT_FDCWD, "/tmp/link", AT_EMPTY_PATH),
      rename("/tmp/file", "/usr/lib/file"),
      rename("/tmp/file", library),
      open(again.c_str(), O_RDWR),
      mkfifo("/tmp/result", 0600),
      mknod("/tmp/null", S_IFCHR | 0600, makedev(1, 3)),
      mknod("/tmp/disk", S_IFBLK | 0600, makedev(8, 0)),
      chmod("/tmp/file", 04755),
      fchmod(file, 0755),
      chown("/tmp/file", 0, 0),
      setxattr("/tmp/file", "user.a", "b", 1, 0),
      chroot("/tmp"),
      open("/usr/lib/was_here", O_CREAT | O_WRONLY, 0600),
      unlink(library),
      truncate(library, 0),
  };
  int act = 0;
  for (int result : results) {
    ++act;
    if (result != -1) throw std::runtime_error("act " + std::to_string(act));
  }
  return a + b;
}
