// Preloaded into a widgetd under test: writes down everything that changes its files, in the order in which it happens, so
// that the disks a power cut may leave can be made afterwards (Tests/Faults/powercut).
//
//   cc -shared -fPIC -O2 -o recorder.so recorder.c -ldl
//   FAULT_RECORD=record FAULT_RECORD_ROOT=/folder/around/the/data LD_PRELOAD=./recorder.so widgetd serve …
//
// A record is seven numbers and two byte strings: kind, inode, other inode, a, b, two lengths; names or contents. Files and
// folders are told apart by their inodes. What is mapped into memory is not seen: SQLite's index of its log is, and
// nobody has to find it after a crash.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, REMOVE, FOLDER, EXCHANGE };

struct record {
    int64_t kind, inode, other, a, b, firstLength, secondLength;
};

static int out = -1;
static char root[4096];
static size_t rootLength;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAULT_RECORD"), *folder = getenv("FAULT_RECORD_ROOT");
    if (!file || !folder) return;
    snprintf(root, sizeof root, "%s", folder);
    rootLength = strlen(root);
    out = REAL(open)(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int isInside(const char *path) {
    return strncmp(path, root, rootLength) == 0 && (path[rootLength] == '/' || path[rootLength] == 0);
}

// Whether a descriptor is of a file or folder that is recorded; its inode then.
static int known(int fd, int64_t *inode) {
    if (out < 0 || fd < 0) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    if (!isInside(path)) return 0;
    struct stat status;
    if (fstat(fd, &status) != 0) return 0;
    *inode = (int64_t)status.st_ino;
    return 1;
}

// The folder that a name is in, and the name in it.
static int place(int folder, const char *path, int64_t *inode, const char **name) {
    if (out < 0) return 0;
    const char *slash = strrchr(path, '/');
    if (folder != AT_FDCWD && path[0] != '/') {
        *name = path;
        return !slash && known(folder, inode);
    }
    char parent[4096];
    if (!slash || slash == path) return 0;
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    struct stat status;
    if (!isInside(parent) || stat(parent, &status) != 0) return 0;
    *inode = (int64_t)status.st_ino;
    *name = slash + 1;
    return 1;
}

static void put(
    enum kind kind, int64_t inode, int64_t other, int64_t a, int64_t b, const void *first, size_t firstLength,
    const void *second, size_t secondLength) {
    struct record record = {kind, inode, other, a, b, (int64_t)firstLength, (int64_t)secondLength};
    struct iovec parts[3] = {
        {&record, sizeof record}, {(void *)first, firstLength}, {(void *)second, secondLength}};
    int saved = errno;
    size_t all = sizeof record + firstLength + secondLength;
    if (writev(out, parts, 3) != (ssize_t)all) abort();
    errno = saved;
}

static int opening(int folder, const char *path, int flags, mode_t mode) {
    int64_t parent = 0;
    const char *name = path;
    if (!(flags & (O_CREAT | O_TRUNC)) || !place(folder, path, &parent, &name)) {
        return REAL(openat)(folder, path, flags, mode);
    }
    pthread_mutex_lock(&lock);
    struct stat before, after;
    int existed = fstatat(folder, path, &before, AT_SYMLINK_NOFOLLOW) == 0;
    int fd = REAL(openat)(folder, path, flags, mode);
    if (fd >= 0 && fstat(fd, &after) == 0) {
        if (!existed) put(CREATE, after.st_ino, parent, 0, 0, name, strlen(name), "", 0);
        else if (flags & O_TRUNC) put(TRUNCATE, after.st_ino, 0, 0, 0, "", 0, "", 0);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                             \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opening(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opening(folder, path, flags, mode); }
int open(const char *path, int flags, ...) { MODE(flags) return opening(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opening(AT_FDCWD, path, flags, mode); }

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    int64_t inode;
    if (!known(fd, &inode)) return REAL(pwrite)(fd, bytes, count, offset);
    pthread_mutex_lock(&lock);
    ssize_t result = REAL(pwrite)(fd, bytes, count, offset);
    if (result > 0) put(WRITE, inode, 0, offset, 0, bytes, (size_t)result, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) { return pwrite(fd, bytes, count, offset); }

ssize_t write(int fd, const void *bytes, size_t count) {
    int64_t inode;
    if (!known(fd, &inode)) return REAL(write)(fd, bytes, count);
    pthread_mutex_lock(&lock);
    off_t offset = fcntl(fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
    ssize_t result = REAL(write)(fd, bytes, count);
    if (result > 0) put(WRITE, inode, 0, offset, 0, bytes, (size_t)result, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

static int synchronizing(int fd, int isData) {
    int64_t inode;
    int isKnown = known(fd, &inode);
    if (isKnown) pthread_mutex_lock(&lock);
    // Memory is all that these files are in; what matters is that it was asked for.
    if (isKnown) put(SYNC, inode, 0, 0, 0, "", 0, "", 0);
    int result = isData ? REAL(fdatasync)(fd) : REAL(fsync)(fd);
    if (isKnown) pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd) { return synchronizing(fd, 0); }
int fdatasync(int fd) { return synchronizing(fd, 1); }

int ftruncate(int fd, off_t length) {
    int64_t inode;
    if (!known(fd, &inode)) return REAL(ftruncate)(fd, length);
    pthread_mutex_lock(&lock);
    int result = REAL(ftruncate)(fd, length);
    if (result == 0) put(TRUNCATE, inode, 0, length, 0, "", 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

int renameat2(int folder, const char *from, int target, const char *to, unsigned flags) {
    int64_t source = 0, destination = 0;
    const char *old = from, *new = to;
    if (!place(folder, from, &source, &old) || !place(target, to, &destination, &new)) {
        return REAL(renameat2)(folder, from, target, to, flags);
    }
    pthread_mutex_lock(&lock);
    int result = REAL(renameat2)(folder, from, target, to, flags);
    enum kind kind = flags & RENAME_EXCHANGE ? EXCHANGE : RENAME;
    if (result == 0) put(kind, source, destination, 0, 0, old, strlen(old), new, strlen(new));
    pthread_mutex_unlock(&lock);
    return result;
}

static int removing(int folder, const char *path, int flags) {
    int64_t parent = 0;
    const char *name = path;
    if (!place(folder, path, &parent, &name)) return REAL(unlinkat)(folder, path, flags);
    pthread_mutex_lock(&lock);
    int result = REAL(unlinkat)(folder, path, flags);
    if (result == 0) put(REMOVE, 0, parent, 0, 0, name, strlen(name), "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlinkat(int folder, const char *path, int flags) { return removing(folder, path, flags); }
int unlink(const char *path) { return removing(AT_FDCWD, path, 0); }

static int making(int folder, const char *path, mode_t mode) {
    int64_t parent = 0;
    const char *name = path;
    if (!place(folder, path, &parent, &name)) return REAL(mkdirat)(folder, path, mode);
    pthread_mutex_lock(&lock);
    int result = REAL(mkdirat)(folder, path, mode);
    struct stat status;
    if (result == 0 && fstatat(folder, path, &status, 0) == 0) {
        put(FOLDER, status.st_ino, parent, 0, 0, name, strlen(name), "", 0);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int mkdirat(int folder, const char *path, mode_t mode) { return making(folder, path, mode); }
int mkdir(const char *path, mode_t mode) { return making(AT_FDCWD, path, mode); }
