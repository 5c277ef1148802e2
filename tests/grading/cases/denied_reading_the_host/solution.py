# Right only if nothing of the host can be read, and no folder shows more than the box.
import glob
import os
import sys


def readable(path):
    try:
        if os.path.isdir(path):
            return os.listdir(path) != []
        with open(path, "rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def listed(path):
    try:
        return set(os.listdir(path))
    except OSError:
        return set()


def pair_sum(a, b):
    homes = {os.path.dirname(frame.f_code.co_filename) for frame in sys._current_frames().values()}
    homes |= {os.path.dirname(getattr(module, "__file__", "") or "") for module in sys.modules.values()}
    frame = sys._getframe()
    while frame:
        homes.add(os.path.dirname(frame.f_code.co_filename))
        frame = frame.f_back
    paths = ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/var", "/run", "/srv"]
    paths += ["/proc", "/proc/self/maps", "/proc/self/environ", "/proc/1/environ", "/proc/meminfo"]
    paths += ["/sys", "/sys/kernel", "/sys/fs/cgroup", "/dev/shm", "/dev/pts", "/dev/mem", "/dev/fd/0"]
    for home in homes:
        for up in ("..", "../..", "../../.."):
            for name in ("problems", "tests/grading", "judge.db", ".git", "judge", "pyproject.toml"):
                paths.append(os.path.join(home, up, name))
    found = [path for path in paths if readable(path)]
    found += glob.glob("/*/*/site-packages/*/__init__.py")
    more = listed("/") - {"bin", "box", "dev", "lib", "lib64", "python", "tmp", "usr"}
    more |= listed("/dev") - {"full", "null", "random", "urandom", "zero"}
    more |= (listed("/usr") - {"lib", "lib64"}) | (listed("/box") - {"tmp"}) | listed("/tmp")
    if found or more:
        raise RuntimeError(found, more)
    return a + b
