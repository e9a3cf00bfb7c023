internal import CCurl

/// What libcurl's numbers mean here.
enum CurlOutcome {
    static func reason(
        _ code: CURLcode, refusedAddress: String?, isConnected: Bool, isHandshaking: Bool, isOverTime: Bool
    ) -> TransferError.Reason {
        if let refusedAddress, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return .addressRefused(refusedAddress)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .unknownHost
        case CURLE_COULDNT_CONNECT: return .noConnection
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut(isConnected || isOverTime ? .total : isHandshaking ? .handshake : .connecting)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: return .connectionLost
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return .malformedAnswer("libcurl cannot read it")
        default: return .failed(code: Int(code.rawValue))
        }
    }
}
