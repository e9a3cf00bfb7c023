/// A request method. Methods are case-sensitive (RFC 9110 §9.1); those without a meaning here are `other`.
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, delete, options, patch, connect, trace, other

    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .connect: "CONNECT"
        case .trace: "TRACE"
        case .other: "other"
        }
    }

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self =
            switch range.count {
            case 3 where bytes.isExactly("GET", in: range): .get
            case 3 where bytes.isExactly("PUT", in: range): .put
            case 4 where bytes.isExactly("HEAD", in: range): .head
            case 4 where bytes.isExactly("POST", in: range): .post
            case 5 where bytes.isExactly("PATCH", in: range): .patch
            case 5 where bytes.isExactly("TRACE", in: range): .trace
            case 6 where bytes.isExactly("DELETE", in: range): .delete
            case 7 where bytes.isExactly("OPTIONS", in: range): .options
            case 7 where bytes.isExactly("CONNECT", in: range): .connect
            default: .other
            }
    }
}
