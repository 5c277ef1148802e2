// Right only if every act is refused.
#include <netdb.h>
#include <stdexcept>
#include <sys/socket.h>

long long pair_sum(long long a, long long b) {
  for (int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_ALG, AF_VSOCK, 44}) {
    for (int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
      if (socket(family, type, 0) >= 0) throw std::runtime_error("socket");
    }
  }
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) throw std::runtime_error("socketpair");
  addrinfo* found = nullptr;
  if (getaddrinfo("localhost", "80", nullptr, &found) == 0) throw std::runtime_error("a name");
  if (getaddrinfo("example.org", "80", nullptr, &found) == 0) throw std::runtime_error("a name elsewhere");
  return a + b;
}
