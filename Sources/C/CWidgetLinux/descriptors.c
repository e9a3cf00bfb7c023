#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// Room for more than the one descriptor that is accepted, so that the others are seen and closed here.
enum { descriptor_room = 16 };

union linux_control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(descriptor_room * sizeof(int))];
};

int linux_send_descriptor(int socket, int descriptor)
{
    char byte = 'd';
    union linux_control control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_SPACE(sizeof(int))};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    ssize_t count = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    return count < 0 ? -errno : 0;
}

int linux_receive_descriptor(int socket)
{
    char byte = 0;
    union linux_control control;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count < 0) return -errno;
    int found = 0, first = -1;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head != NULL; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        size_t numbers = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < numbers; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(head) + index * sizeof(int), sizeof descriptor);
            if (found++ == 0) first = descriptor;
            else close(descriptor);
        }
    }
    if (count == 1 && byte == 'd' && found == 1 && (message.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) == 0) return first;
    if (first >= 0) close(first);
    return count == 0 ? -EPIPE : -EBADMSG;
}
