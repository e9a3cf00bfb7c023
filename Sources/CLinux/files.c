#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/statvfs.h>

int linux_openat(int directory, const char *path, int flags, unsigned mode) {
    return openat(directory, path, flags | O_CLOEXEC, mode);
}

int linux_unnamed_file(int directory) {
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int linux_rename(int directory, const char *source, int target_directory, const char *target, int replacing) {
    return renameat2(directory, source, target_directory, target, replacing ? 0 : RENAME_NOREPLACE);
}

int linux_reserve(int fd, int64_t byte_count) {
    return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, byte_count);
}

int64_t linux_available_bytes(int fd) {
    struct statvfs status;
    if (fstatvfs(fd, &status) != 0) return -1;
    return (int64_t)status.f_bavail * (int64_t)status.f_frsize;
}
