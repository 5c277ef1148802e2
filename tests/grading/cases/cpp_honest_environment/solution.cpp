// Nothing but the fixed variables, the three streams and the result.
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  int variables = 0;
  for (char** each = environ; *each != nullptr; ++each) ++variables;
  if (variables > 8) throw std::runtime_error("an inherited variable");
  for (int descriptor = 4; descriptor < 1024; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) throw std::runtime_error("an inherited descriptor");
  }
  if (access("/proc", F_OK) == 0 || access("/etc", F_OK) == 0) throw std::runtime_error("more than the box");
  return a + b;
}
