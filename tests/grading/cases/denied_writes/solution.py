# Right only if every act is refused.
import os


def pair_sum(a, b):
    library = os.__file__
    folders = ["/", "/usr", "/usr/lib", "/lib", "/dev", os.path.dirname(library)]
    acts = [lambda folder=folder: open(f"{folder}/was_here", "w") for folder in folders]
    acts += [lambda folder=folder: os.mkdir(f"{folder}/was_here") for folder in folders]
    acts += [
        lambda: open(library, "a"),
        lambda: os.truncate(library, 0),
        lambda: os.remove(library),
        lambda: os.rename(library, library + ".old"),
        lambda: os.rename(os.path.dirname(library), "/python/was"),
        lambda: os.chmod(library, 0o777),
        lambda: os.utime(library, (1, 1)),
        lambda: os.utime("/dev/null", (1, 1)),
        lambda: os.rmdir("/usr"),
        lambda: open("/proc/self/oom_score_adj", "w"),
        lambda: open("/proc/sys/kernel/core_pattern", "w"),
        lambda: open("/sys/fs/cgroup/was_here", "w"),
    ]
    for act in acts:
        try:
            act()
        except OSError:
            continue
        raise RuntimeError(f"act {acts.index(act)}")
    return a + b
