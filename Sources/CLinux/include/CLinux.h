// System calls that Swift's Glibc module leaves out, because it is built without _GNU_SOURCE and
// without the headers of epoll and eventfd, or because they are variadic or macros in C.
// Nothing here decides anything: each function is one call. `linux_errno` is read right after a call.
#ifndef CLINUX_H
#define CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static inline int linux_errno(void) { return errno; }

static inline int linux_accept4(int fd, struct sockaddr_storage *address, socklen_t *length) {
    return accept4(fd, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline int linux_epoll_remove(int epoll, int fd) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event);
}

static inline int linux_epoll_wait(int epoll, struct epoll_event *events, int capacity, int timeout_milliseconds) {
    return epoll_wait(epoll, events, capacity, timeout_milliseconds);
}

static inline uint64_t linux_epoll_token(const struct epoll_event *event) { return event->data.u64; }
static inline uint32_t linux_epoll_flags(const struct epoll_event *event) { return event->events; }

// Macros and enumerators, given one integer type.
static const uint32_t LINUX_EPOLLIN = EPOLLIN;
static const uint32_t LINUX_EPOLLOUT = EPOLLOUT;
static const uint32_t LINUX_EPOLLRDHUP = EPOLLRDHUP;
static const uint32_t LINUX_EPOLLHUP = EPOLLHUP;
static const uint32_t LINUX_EPOLLERR = EPOLLERR;
static const uint32_t LINUX_EPOLLET = 1u << 31;

static inline int linux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline int linux_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int linux_blocking_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

// A peer that is gone is an error value, never SIGPIPE; `more` says that a file follows at once.
static inline ssize_t linux_send(int fd, const void *bytes, size_t count, int more) {
    return send(fd, bytes, count, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
}

static inline ssize_t linux_sendmsg(int fd, struct iovec *parts, size_t count, int more) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    return sendmsg(fd, &message, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
}

static inline ssize_t linux_sendfile(int socket, int file, off_t *offset, size_t count) {
    return sendfile(socket, file, offset, count);
}

static inline int linux_set_option(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value);
}

static inline int linux_socket_error(int fd) {
    int value = 0;
    socklen_t length = sizeof value;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &length) != 0) return errno;
    return value;
}

static inline ssize_t linux_random(void *bytes, size_t count) { return getrandom(bytes, count, 0); }

static inline int linux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

static inline uint64_t linux_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline int linux_descriptor_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }
static inline int linux_set_descriptor_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_NOFILE, limit); }

#endif
