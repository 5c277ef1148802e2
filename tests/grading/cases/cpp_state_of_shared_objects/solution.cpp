// Right only if nothing that a run before this one made under a name is there.
#include <fcntl.h>
#include <stdexcept>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  const char* places[] = {"/tmp/left", "/dev/shm/left", "/var/tmp/left", "/run/left", "./left"};
  for (const char* place : places) {
    if (access(place, F_OK) == 0) throw std::runtime_error(place);
  }
  for (const char* place : places) close(open(place, O_CREAT | O_WRONLY, 0600));
  if (shmget(7777, 4096, 0) != -1 || semget(7777, 1, 0) != -1 || msgget(7777, 0) != -1) {
    throw std::runtime_error("System V");
  }
  if (shm_open("/left", O_RDWR, 0600) != -1) throw std::runtime_error("POSIX");
  const int made[] = {shmget(7777, 4096, IPC_CREAT | 0600), semget(7777, 1, IPC_CREAT | 0600),
                      msgget(7777, IPC_CREAT | 0600), shm_open("/left", O_CREAT | O_RDWR, 0600)};
  for (int result : made) {
    if (result != -1) throw std::runtime_error("made");
  }
  return a + b;
}
