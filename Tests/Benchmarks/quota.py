"""One CPU quota for both servers, so that the load tool is never the limit."""

import os
from contextlib import contextmanager

PERIOD = 10_000
CONTROLLERS = "/sys/fs/cgroup"


class NotPermitted(Exception):
    """This machine does not let us limit anybody's CPU; the text says why."""


class Quota:
    """A cgroup of our own that grants `share` of a core."""

    def __init__(self, share):
        limit = int(PERIOD * share)
        name = f"bench-{os.getpid()}"
        try:
            if os.path.exists(f"{CONTROLLERS}/cpu/cpu.cfs_quota_us"):
                self._home = f"{CONTROLLERS}/cpu"
                self.path = f"{self._home}/{name}"
                os.mkdir(self.path)
                self._write("cpu.cfs_period_us", PERIOD)
                self._write("cpu.cfs_quota_us", limit)
            elif os.path.exists(f"{CONTROLLERS}/cgroup.subtree_control"):
                self._home = CONTROLLERS
                self.path = f"{self._home}/{name}"
                with open(f"{self._home}/cgroup.subtree_control", "w") as file:
                    file.write("+cpu")
                os.mkdir(self.path)
                self._write("cpu.max", f"{limit} {PERIOD}")
            else:
                raise NotPermitted("there is no cgroup controller for cpu")
        except OSError as error:
            self.remove()
            raise NotPermitted(str(error)) from error

    def _write(self, name, value):
        with open(f"{self.path}/{name}", "w") as file:
            file.write(str(value))

    @contextmanager
    def holding(self, processes):
        """Puts processes under the quota for a while."""
        try:
            for process in processes:
                self._write("cgroup.procs", process)
            yield
        finally:
            for process in processes:
                try:
                    with open(f"{self._home}/cgroup.procs", "w") as file:
                        file.write(str(process))
                except OSError:
                    pass  # it has ended

    def remove(self):
        try:
            os.rmdir(self.path)
        except (OSError, AttributeError):
            pass
