extension TransferError {
    package var description: String {
        let subject = address.isEmpty ? "" : " (\(address))"
        return "\(reason)\(detail.isEmpty ? "" : ": \(detail)")\(subject)"
    }
}

extension TransferError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidURL(let why): "this is no address on the web: \(why)"
        case .invalidField(let name): "the header field \(name) cannot be sent"
        case .addressRefused(let target): "connecting to \(target) is not allowed"
        case .unknownHost: "there is no host of that name"
        case .noConnection: "nobody answers there"
        case .connectionLost: "the connection was lost before the answer was complete"
        case .timedOut(.connecting): "no connection stood in time"
        case .timedOut(.handshake): "a connection stood, and the other side did not begin to encrypt in time"
        case .timedOut(.stalled): "nothing moved for too long"
        case .tooSlow(let rate): "the answer came more slowly than \(rate) bytes a second"
        case .timedOut(.total): "it took longer than allowed"
        case .tls: "the server could not prove that it is the one asked for, or encryption failed"
        case .bodyTooShort: "the file to be sent ends too early"
        case .malformedAnswer(let what): "the answer is no proper HTTP: \(what)"
        case .limitReached(.body, let limit): "the answer is larger than \(limit) bytes"
        case .limitReached(.head, let limit): "the answer's header fields are larger than \(limit) bytes"
        case .limitReached(.fields, let limit): "the answer has more than \(limit) header fields"
        case .limitReached(.expansion, let limit): "the answer expands to more than \(limit) times its size"
        case .limitReached(.redirects, let limit): "the request was sent elsewhere more than \(limit) times"
        case .redirectRefused(let target): "the server sends the request to \(target), where it must not go"
        case .redirectedElsewhere(let target): "the server sends the request on to \(target), which is another origin"
        case .changedMeanwhile: "what the server has changed while it was fetched"
        case .untagged: "the answer has no strong entity tag, by which what is fetched would be recognised"
        case .file(let error): "\(error)"
        case .cancelled: "it was cancelled"
        case .failed(let code): "libcurl reports error \(code)"
        }
    }
}
