#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLinux.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

const uint32_t LINUX_EPOLLIN = EPOLLIN;
const uint32_t LINUX_EPOLLOUT = EPOLLOUT;
const uint32_t LINUX_EPOLLRDHUP = EPOLLRDHUP;
const uint32_t LINUX_EPOLLHUP = EPOLLHUP;
const uint32_t LINUX_EPOLLERR = EPOLLERR;
const uint32_t LINUX_EPOLLET = 1u << 31;

int linux_errno(void) { return errno; }

// Addresses cross the border as sixteen bytes (IPv4 in its mapped form), a family and a port,
// so that no sockaddr is ever cast in Swift.
static void linux_read_address(const struct sockaddr_storage *from, uint8_t bytes[16], uint16_t *port) {
    memset(bytes, 0, 16);
    *port = 0;
    if (from->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
        bytes[10] = bytes[11] = 0xFF;
        memcpy(bytes + 12, &v4->sin_addr, 4);
        *port = ntohs(v4->sin_port);
    } else if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)from;
        memcpy(bytes, &v6->sin6_addr, 16);
        *port = ntohs(v6->sin6_port);
    }
}

static socklen_t linux_write_address(
    struct sockaddr_storage *to, const uint8_t bytes[16], int is_v4, uint16_t port) {
    memset(to, 0, sizeof *to);
    if (is_v4) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)to;
        v4->sin_family = AF_INET;
        memcpy(&v4->sin_addr, bytes + 12, 4);
        v4->sin_port = htons(port);
        return sizeof *v4;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)to;
    v6->sin6_family = AF_INET6;
    memcpy(&v6->sin6_addr, bytes, 16);
    v6->sin6_port = htons(port);
    return sizeof *v6;
}

int linux_accept(int fd, uint8_t bytes[16], uint16_t *port) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    address.ss_family = AF_UNSPEC;
    int accepted = accept4(fd, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted >= 0) linux_read_address(&address, bytes, port);
    return accepted;
}

int linux_bind_ip(int fd, const uint8_t bytes[16], int is_v4, uint16_t port) {
    struct sockaddr_storage address;
    socklen_t length = linux_write_address(&address, bytes, is_v4, port);
    return bind(fd, (struct sockaddr *)&address, length);
}

int linux_connect_ip(int fd, const uint8_t bytes[16], int is_v4, uint16_t port) {
    struct sockaddr_storage address;
    socklen_t length = linux_write_address(&address, bytes, is_v4, port);
    return connect(fd, (struct sockaddr *)&address, length);
}

// -1 with ENAMETOOLONG when the path does not fit.
static int linux_unix_address(struct sockaddr_un *address, const char *path) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return 0;
}

int linux_bind_unix(int fd, const char *path) {
    struct sockaddr_un address;
    if (linux_unix_address(&address, path) != 0) return -1;
    return bind(fd, (struct sockaddr *)&address, sizeof address);
}

int linux_connect_unix(int fd, const char *path) {
    struct sockaddr_un address;
    if (linux_unix_address(&address, path) != 0) return -1;
    return connect(fd, (struct sockaddr *)&address, sizeof address);
}

int linux_send_to_unix(const char *name, const void *bytes, size_t count) {
    struct sockaddr_un address;
    if (linux_unix_address(&address, name) != 0) return -errno;
    // An abstract name begins with a zero byte, and has no other end than its length.
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(name) + (name[0] == '@' ? 0 : 1);
    if (name[0] == '@') address.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    ssize_t sent = sendto(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address, length);
    int result = sent < 0 ? -errno : 0;
    close(fd);
    return result;
}

int linux_local_port(int fd, uint16_t *port) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    uint8_t bytes[16];
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -1;
    linux_read_address(&address, bytes, port);
    return 0;
}

// The first address of a name; 0 when there is one.
int linux_resolve(const char *name, uint8_t bytes[16], int *is_v4) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int result = getaddrinfo(name, NULL, &hints, &found);
    if (result != 0) return result;
    uint16_t port;
    struct sockaddr_storage address;
    memset(&address, 0, sizeof address);
    memcpy(&address, found->ai_addr, found->ai_addrlen);
    linux_read_address(&address, bytes, &port);
    *is_v4 = found->ai_family == AF_INET;
    freeaddrinfo(found);
    return 0;
}

int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int linux_epoll_remove(int epoll, int fd) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event);
}

int linux_epoll_wait(int epoll, struct linux_event *events, int capacity, int timeout_milliseconds) {
    struct epoll_event ready[LINUX_EVENTS_PER_WAIT];
    if (capacity > LINUX_EVENTS_PER_WAIT) capacity = LINUX_EVENTS_PER_WAIT;
    int count = epoll_wait(epoll, ready, capacity, timeout_milliseconds);
    for (int index = 0; index < count; index++) {
        events[index].token = ready[index].data.u64;
        events[index].flags = ready[index].events;
    }
    return count;
}

int linux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int linux_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int linux_blocking_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

// A peer that is gone is an error value, never SIGPIPE; `more` says that a file follows at once.
ssize_t linux_send(int fd, const void *bytes, size_t count, int more) {
    return send(fd, bytes, count, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
}

ssize_t linux_send_two(
    int fd, const void *first, size_t first_count, const void *second, size_t second_count) {
    struct iovec parts[2] = {
        {.iov_base = (void *)first, .iov_len = first_count}, {.iov_base = (void *)second, .iov_len = second_count}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

ssize_t linux_sendfile(int socket, int file, off_t *offset, size_t count) {
    return sendfile(socket, file, offset, count);
}

int linux_set_option(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value);
}

int linux_unacknowledged(int fd) {
    int count = 0;
    return ioctl(fd, SIOCOUTQ, &count) == 0 && count > 0 ? count : 0;
}

int linux_socket_error(int fd) {
    int value = 0;
    socklen_t length = sizeof value;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &length) != 0) return errno;
    return value;
}

ssize_t linux_random(void *bytes, size_t count) { return getrandom(bytes, count, 0); }

int linux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

uint64_t linux_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int linux_raise_descriptor_limit(uint64_t *allowed) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    *allowed = limit.rlim_cur;
    if (limit.rlim_cur >= limit.rlim_max) return 0;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0) *allowed = limit.rlim_cur;
    return 0;
}

int linux_socket_pair(int pair[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair); }

int linux_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int linux_ignore_broken_pipes(void) { return signal(SIGPIPE, SIG_IGN) == SIG_ERR ? -1 : 0; }

int linux_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

int64_t linux_cpu_nanoseconds(void) {
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

int64_t linux_resident_bytes(void) {
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    int found = fscanf(file, "%ld %ld", &total, &resident);
    fclose(file);
    return found == 2 ? (int64_t)resident * sysconf(_SC_PAGESIZE) : 0;
}

int linux_open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    if (directory == NULL) return 0;
    int count = 0;
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    // The two dots, and the descriptor of the listing itself.
    return count > 3 ? count - 3 : 0;
}

int linux_set_timeouts(int fd, int seconds) {
    struct timeval limit = {.tv_sec = seconds, .tv_usec = 0};
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) return -1;
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}
