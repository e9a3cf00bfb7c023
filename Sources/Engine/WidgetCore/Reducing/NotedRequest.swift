internal import WidgetPredicates

/// A request with its answer, for an author who debugs a widget.
package struct NotedRequest: Sendable {
    package let number: Int
    package let action: String
    package let method: String
    package let address: String
    /// `nil` until it has ended.
    package fileprivate(set) var answer: NotedAnswer?

    init(_ request: PendingRequest, upTo byteCount: Int) {
        number = request.number
        action = request.action.excerpt
        method = request.request.method
        address = request.request.url.shortened(toByteCount: byteCount)
    }
}

/// The end of a request.
package struct NotedAnswer: Sendable {
    /// The status, or the reason for its absence.
    package let status: String
    /// The beginning of the answer.
    package let body: String

    init(_ outcome: RequestOutcome, upTo byteCount: Int) {
        switch outcome {
        case .response(let status, let body), .postponed(let status, let body, _):
            (self.status, self.body) = ("\(status)", body.outline(upTo: byteCount))
        case .notModified(let body): (status, self.body) = ("304", body.outline(upTo: byteCount))
        case .unreadable(let status, let message):
            (self.status, body) = ("\(status)", message.shortened(toByteCount: byteCount))
        case .failure(let message), .unanswered(let message):
            (status, body) = (message.shortened(toByteCount: byteCount), "")
        }
    }
}

/// The beginning or the end of a request.
package enum RequestNote: Sendable {
    case begun(NotedRequest)
    case ended(Int, NotedAnswer)
}

/// The last requests of a widget.
package struct RequestLog: Sendable {
    package private(set) var all: [NotedRequest] = []

    /// The most requests, the oldest of which go first.
    private static let limit = 50

    package init() {}

    package mutating func take(_ notes: [RequestNote]) {
        for note in notes {
            switch note {
            case .begun(let request):
                if all.count == RequestLog.limit { all.removeFirst() }
                all.append(request)
            case .ended(let number, let answer):
                guard let place = all.lastIndex(where: { $0.number == number }) else { continue }
                all[place].answer = answer
            }
        }
    }
}
