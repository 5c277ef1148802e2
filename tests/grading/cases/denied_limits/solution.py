# Right only if no limit is raised, none of another process is seen, and no core file is allowed.
import resource


def pair_sum(a, b):
    for name in ("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "STACK", "CORE", "MEMLOCK", "MSGQUEUE"):
        which = getattr(resource, f"RLIMIT_{name}", None)
        if which is None:
            continue
        soft, hard = resource.getrlimit(which)
        for wanted in ((hard, hard + 1), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)):
            try:
                resource.setrlimit(which, wanted)
            except (OSError, ValueError):
                continue
            raise RuntimeError(name)
        try:
            resource.prlimit(1, which)
        except OSError:
            pass
        else:
            raise RuntimeError("of another process")
    if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0):
        raise RuntimeError("a core file")
    return a + b
