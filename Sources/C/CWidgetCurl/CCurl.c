#include "CCurl.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_bytes_function(CURL *easy, CURLoption option, ccurl_bytes function) {
    return curl_easy_setopt(easy, option, function);
}

CURLcode ccurl_set_seek_function(CURL *easy, curl_seek_callback function) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

CURLcode ccurl_set_socket_function(CURL *easy, curl_opensocket_callback function) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

CURLcode ccurl_set_request_function(CURL *easy, curl_prereq_callback function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURL *ccurl_finished(const CURLMsg *message, CURLcode *outcome) {
    if (message->msg != CURLMSG_DONE) return NULL;
    *outcome = message->data.result;
    return message->easy_handle;
}

int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16], uint16_t *port) {
    if (address->family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, &address->addr, sizeof v4);
        memset(bytes, 0, 10);
        memset(bytes + 10, 0xFF, 2);
        memcpy(bytes + 12, &v4.sin_addr, 4);
        *port = ntohs(v4.sin_port);
        return 1;
    }
    if (address->family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, &address->addr, sizeof v6);
        memcpy(bytes, &v6.sin6_addr, 16);
        *port = ntohs(v6.sin6_port);
        return 1;
    }
    return 0;
}

curl_socket_t ccurl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
