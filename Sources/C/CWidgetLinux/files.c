#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/statvfs.h>
#include <unistd.h>

int linux_openat(int directory, const char *path, int flags, unsigned mode) {
    return openat(directory, path, flags | O_CLOEXEC, mode);
}

int linux_unnamed_file(int directory) {
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int linux_rename(int directory, const char *source, int target_directory, const char *target, int replacing) {
    return renameat2(directory, source, target_directory, target, replacing ? 0 : RENAME_NOREPLACE);
}

int linux_exchange(int directory, const char *name, int other_directory, const char *other) {
    return renameat2(directory, name, other_directory, other, RENAME_EXCHANGE);
}

int linux_reserve(int fd, int64_t byte_count) {
    return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, byte_count);
}

int64_t linux_available_bytes(int fd) {
    struct statvfs status;
    if (fstatvfs(fd, &status) != 0) return -1;
    return (int64_t)status.f_bavail * (int64_t)status.f_frsize;
}

int linux_watch_create(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int linux_watch_add(int watch, const char *path) {
    return inotify_add_watch(
        watch, path,
        IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO |
            IN_MOVE_SELF | IN_ONLYDIR);
}

int linux_watch_drain(int watch) {
    // Who reads looks for itself what has changed, so the events' contents do not matter.
    char events[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
    int found = 0;
    for (;;) {
        ssize_t count = read(watch, events, sizeof events);
        if (count > 0) found = 1;
        else if (count == 0 || errno == EAGAIN) return found;
        else if (errno != EINTR) return -1;
    }
}
