/// The reason why a viewing was not made, or an event not taken.
package enum LiveRefusal: Error, Equatable, Sendable {
    case tooManyViewings(limit: Int)
    case tooManyOfAddress(limit: Int)
    /// More events than a person makes; the rest may be sent again after some seconds.
    case tooFast(retryAfter: Double)
    case malformed(String)
    /// The widget cannot run, with the reason in a sentence.
    case unreadable(String)
    /// The widget cannot be shown now, with the reason in a sentence.
    case unavailable(String)
    /// The page has ended, or never was.
    case over

    /// The reason, for people.
    package var sentence: String {
        switch self {
        case .tooManyViewings: "The server shows as many pages as it can."
        case .tooManyOfAddress: "Too many pages of this widget are open."
        case .tooFast: "That was too fast."
        case .malformed(let reason), .unreadable(let reason), .unavailable(let reason): reason
        case .over: LiveEnding.unknownSentence
        }
    }
}

/// An answer to a batch of events, or to a form.
package enum LiveOutcome: Equatable, Sendable {
    case taken
    case refused(LiveRefusal)
}

/// The reason why a viewing has ended.
package enum LiveEnding: Equatable, Sendable {
    /// Its viewer was away, or did nothing, for so long.
    case idle(seconds: Double)
    /// Its address has opened others, and it was the one unused for longest.
    case madeRoom
    /// It has more bytes than a viewing may have.
    case tooLarge(limit: Int)
    /// Its viewer has left the page.
    case left
    /// The process of its widget has ended, with the reason as the end of a sentence.
    case widget(String)
    /// The server ends.
    case stopped
    /// Another server of the same registry has made it, which did not get the request, or has ended.
    case elsewhere

    /// The sentence about a viewing of which nothing is known.
    package static let unknownSentence = "This page has ended."

    static let begunAnew = "Its data have ended with it; the widget was begun anew."

    /// A sentence for the viewer.
    package var sentence: String {
        switch self {
        case .idle(let seconds): "This page has ended, because it was not used for \(Int(seconds / 60)) minutes."
        case .madeRoom: "This page has ended, because too many others were opened after it."
        case .tooLarge(let limit): "This page has ended, because its widget holds more than \(limit >> 20) MB of data."
        case .left: "This page has ended, because it was left."
        case .widget(let reason): "This page has ended, because \(reason)."
        case .stopped: "This page has ended, because its server was stopped."
        case .elsewhere: "This page is at another server of this registry, which was not reached, or has ended with it."
        }
    }
}
