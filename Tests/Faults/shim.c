// Preloaded into a widgetd under test: fails, shortens or holds the n-th call of a kind, ends the process there or as
// it enters a phase of its work, interrupts every second call there is, and moves the clock. It is told what to do
// through a file that it shares with the test, and tells there what it has seen. Calls count only for files in the data
// directory.
//
//   cc -shared -fPIC -O2 -o shim.so shim.c -ldl
//   FAULT_SHIM_CONTROL=control-file FAULT_SHIM_DATA=/path/of/data LD_PRELOAD=./shim.so widgetd serve …
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum kind { NONE, WRITE, SYNC, RENAME, OPEN, READ, UNLINK, MKDIR, TRUNCATE, RESERVE, CLOSE, LIST, KINDS };
enum phase { IDLE, STAGING, BLOB, MOVE, COMMIT, SWAP, GC, PHASES };
enum action { FAIL, SHORTEN, HOLD, INTERRUPT, STORM, END, DENY };

// All words of eight bytes, so that the other side needs no compiler to read it.
struct control {
    _Atomic int64_t kind, countdown, error, action, fired; // 0..4
    _Atomic int64_t killPhase, killCountdown;              // 5, 6
    _Atomic int64_t clockOffset;                           // 7
    _Atomic int64_t counts[16];                            // 8..23
    _Atomic int64_t killedIn;                              // 24
    _Atomic int64_t entered[8];                            // 25..32, microseconds of the last entry
    _Atomic int64_t inside[8];                             // 33..40, threads inside at present
    _Atomic int64_t steadyOffset;                          // 41
};

static struct control *control;
static char data[4096];
static size_t dataLength;
// What each descriptor is: 'd' a folder of ours, 's' staging, 'b' blob or note, 'w' log of the catalog, 'c' catalog.
static _Atomic char class[65536];
static _Thread_local enum phase present;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAULT_SHIM_CONTROL"), *folder = getenv("FAULT_SHIM_DATA");
    if (!file || !folder) return;
    snprintf(data, sizeof data, "%s/", folder);
    dataLength = strlen(data);
    int fd = REAL(open)(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    REAL(close)(fd);
    if (memory != MAP_FAILED) control = memory;
}

static int64_t microseconds(void) {
    struct timespec now;
    REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void die(enum phase phase) {
    control->killedIn = phase;
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void enter(enum phase phase) {
    if (!control || present == phase) return;
    if (present != IDLE) control->inside[present]--;
    present = phase;
    if (phase == IDLE) return;
    control->inside[phase]++;
    control->entered[phase] = microseconds();
    if (control->killPhase == phase && --control->killCountdown == 0) die(phase);
}

// Within a phase, a step on: a process can end there as well as at the beginning.
static void step(enum phase phase) {
    if (control && phase != IDLE && control->killPhase == phase && --control->killCountdown == 0) die(phase);
}

static char classOf(const char *path) {
    if (strncmp(path, data, dataLength) != 0 && strncmp(path, data, dataLength - 1) != 0) return 0;
    const char *rest = strlen(path) < dataLength ? "" : path + dataLength;
    if (strncmp(rest, "staging/", 8) == 0) return 's';
    if (strncmp(rest, "blobs/", 6) == 0 && strlen(rest) > 9) return 'b';
    if (strcmp(rest, "catalog.sqlite-wal") == 0) return 'w';
    if (strncmp(rest, "catalog.sqlite", 14) == 0) return 'c';
    return 'd';
}

static char classOfDescriptor(int fd) { return fd >= 0 && fd < 65536 ? class[fd] : 0; }

static void note(int fd) {
    if (!control || fd < 0 || fd >= 65536) return;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) length = 0;
    path[length] = 0;
    class[fd] = classOf(path);
}

// Whether a storm is on and this call is interrupted: of two, one is.
static int isInterrupted(void) {
    if (!control || control->action != STORM || (++control->countdown & 1)) return 0;
    control->fired++;
    errno = EINTR;
    return 1;
}

// What Linux may interrupt on a disk.
static int canBeInterrupted(enum kind kind) {
    return kind == WRITE || kind == OPEN || kind == READ || kind == TRUNCATE || kind == RESERVE;
}

// Until the test has opened the pipe beside the control file, which says that the call has come, and closed it.
static void hold(void) {
    char path[4096], byte;
    snprintf(path, sizeof path, "%s.held", getenv("FAULT_SHIM_CONTROL"));
    int fd = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    while (REAL(read)(fd, &byte, 1) > 0) {}
    REAL(close)(fd);
}

// Whether this call is the one to fail; its error is set then.
static int fails(enum kind kind) {
    if (!control) return 0;
    control->counts[kind]++;
    if (control->action == STORM) return canBeInterrupted(kind) && isInterrupted();
    if (control->kind != kind) return 0;
    if (control->action != DENY && --control->countdown != 0) return 0;
    control->fired++;
    if (control->action == HOLD) {
        hold();
        return 0;
    }
    if (control->action == END) die(IDLE);
    errno = control->action == INTERRUPT ? EINTR : (int)control->error;
    return 1;
}

static int shortens(void) { return control->action == SHORTEN; }

static int openFlags(int (*call)(int, const char *, int, mode_t), int folder, const char *path, int flags, mode_t mode) {
    char kind = 0;
    if (control) {
        if (path[0] == '/' || folder == AT_FDCWD) kind = classOf(path);
        else kind = classOfDescriptor(folder);
    }
    if (kind && fails(OPEN)) return -1;
    int fd = call(folder, path, flags, mode);
    note(fd);
    return fd;
}

static int callOpenat(int folder, const char *path, int flags, mode_t mode) {
    return REAL(openat)(folder, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return openFlags(callOpenat, folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return openFlags(callOpenat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return openFlags(callOpenat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return openFlags(callOpenat, AT_FDCWD, path, flags, mode);
}

struct dirent *readdir(DIR *stream) {
    if (classOfDescriptor(dirfd(stream)) && fails(LIST)) return NULL;
    return REAL(readdir)(stream);
}

struct dirent64 *readdir64(DIR *stream) {
    if (classOfDescriptor(dirfd(stream)) && fails(LIST)) return NULL;
    return REAL(readdir64)(stream);
}

// Closes the descriptor by a way of the C library's own.
int closedir(DIR *stream) {
    int fd = dirfd(stream);
    if (fd >= 0 && fd < 65536) class[fd] = 0;
    return REAL(closedir)(stream);
}

int close(int fd) {
    int isOurs = classOfDescriptor(fd) != 0;
    if (fd >= 0 && fd < 65536) class[fd] = 0;
    int result = REAL(close)(fd);
    if (isOurs && fails(CLOSE)) return -1;
    return result;
}

static ssize_t writing(int fd, const void *bytes, size_t count, off_t offset, int isPositioned) {
    char kind = classOfDescriptor(fd);
    if (!kind) {
        // Telling a loop of an answer is the end of what a thread did for it.
        if (control && present == SWAP) enter(IDLE);
        return isPositioned ? REAL(pwrite)(fd, bytes, count, offset) : REAL(write)(fd, bytes, count);
    }
    if (kind == 's') enter(STAGING);
    if (kind == 'w') enter(COMMIT);
    step(present);
    if (fails(WRITE)) {
        if (!shortens() || count < 2) return -1;
        count /= 2;
    }
    return isPositioned ? REAL(pwrite)(fd, bytes, count, offset) : REAL(write)(fd, bytes, count);
}

ssize_t write(int fd, const void *bytes, size_t count) { return writing(fd, bytes, count, 0, 0); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return writing(fd, bytes, count, offset, 1); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) { return writing(fd, bytes, count, offset, 1); }

static ssize_t reading(int fd, void *bytes, size_t count, off_t offset, int isPositioned) {
    if (classOfDescriptor(fd) && fails(READ)) {
        if (!shortens() || count < 2) return -1;
        count /= 2;
    }
    return isPositioned ? REAL(pread)(fd, bytes, count, offset) : REAL(read)(fd, bytes, count);
}

ssize_t read(int fd, void *bytes, size_t count) { return reading(fd, bytes, count, 0, 0); }
ssize_t pread(int fd, void *bytes, size_t count, off_t offset) { return reading(fd, bytes, count, offset, 1); }
ssize_t pread64(int fd, void *bytes, size_t count, off_t offset) { return reading(fd, bytes, count, offset, 1); }

static int syncing(int fd, int isData) {
    char kind = classOfDescriptor(fd);
    if (!kind) return isData ? REAL(fdatasync)(fd) : REAL(fsync)(fd);
    if (kind == 's') enter(BLOB);
    if (kind == 'w') enter(COMMIT);
    step(present);
    if (fails(SYNC)) return -1;
    int result = isData ? REAL(fdatasync)(fd) : REAL(fsync)(fd);
    step(present);
    if (kind == 'w') enter(SWAP);
    if (kind == 'd' && present == MOVE) enter(IDLE);
    return result;
}

int fsync(int fd) { return syncing(fd, 0); }
int fdatasync(int fd) { return syncing(fd, 1); }

int renameat2(int folder, const char *from, int target, const char *to, unsigned flags) {
    char kind = classOfDescriptor(folder);
    if (!kind) return REAL(renameat2)(folder, from, target, to, flags);
    // Out of a blobs' folder to staging is what only gc does.
    enter(strstr(to, ".staged-") && !strstr(from, ".staged-") ? GC : MOVE);
    step(present);
    if (fails(RENAME)) return -1;
    int result = REAL(renameat2)(folder, from, target, to, flags);
    step(present);
    return result;
}

static int removing(int folder, const char *path, int flags) {
    char kind = folder == AT_FDCWD ? classOf(path) : classOfDescriptor(folder);
    if (!kind) return REAL(unlinkat)(folder, path, flags);
    if (present == GC) step(GC);
    if (fails(UNLINK)) return -1;
    int result = REAL(unlinkat)(folder, path, flags);
    if (present == GC) { step(GC); enter(IDLE); }
    return result;
}

int unlinkat(int folder, const char *path, int flags) { return removing(folder, path, flags); }
int unlink(const char *path) { return removing(AT_FDCWD, path, 0); }

int mkdirat(int folder, const char *path, mode_t mode) {
    if (classOfDescriptor(folder) && fails(MKDIR)) return -1;
    return REAL(mkdirat)(folder, path, mode);
}

int ftruncate(int fd, off_t length) {
    if (classOfDescriptor(fd) && fails(TRUNCATE)) return -1;
    return REAL(ftruncate)(fd, length);
}

int ftruncate64(int fd, off_t length) {
    if (classOfDescriptor(fd) && fails(TRUNCATE)) return -1;
    return REAL(ftruncate64)(fd, length);
}

int fallocate(int fd, int mode, off_t offset, off_t length) {
    if (classOfDescriptor(fd) && fails(RESERVE)) return -1;
    return REAL(fallocate)(fd, mode, offset, length);
}

// Sockets: they only know the storm.

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
    return isInterrupted() ? -1 : REAL(epoll_wait)(fd, events, most, timeout);
}

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
    return isInterrupted() ? -1 : REAL(accept4)(fd, address, length, flags);
}

ssize_t recv(int fd, void *bytes, size_t count, int flags) {
    return isInterrupted() ? -1 : REAL(recv)(fd, bytes, count, flags);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    return isInterrupted() ? -1 : REAL(send)(fd, bytes, count, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    return isInterrupted() ? -1 : REAL(sendmsg)(fd, message, flags);
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
    return isInterrupted() ? -1 : REAL(sendfile)(out, in, offset, count);
}

ssize_t sendfile64(int out, int in, off_t *offset, size_t count) { return sendfile(out, in, offset, count); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(clock_gettime)(clock, time);
    if (control && clock == CLOCK_REALTIME) time->tv_sec += control->clockOffset;
    if (control && (clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)) time->tv_sec += control->steadyOffset;
    return result;
}
