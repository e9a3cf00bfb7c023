package import WidgetContract

/// Something that happens to a widget.
package enum Event: Sendable {
    /// The widget begins.
    case start
    case tap(ViewKey)
    /// The text or value of an element changes.
    case input(ViewKey, Value)
    case submit(ViewKey)
    /// A row of a list is chosen. Its key is that of its node in the view; ``View/row(_:inSection:of:)`` finds it by a
    /// place.
    case select(ViewKey)
    case deleteRow(ViewKey)
    case scroll(ViewKey, toEnd: Bool)
    case refresh(ViewKey)
    /// The user has picked a picture or a film.
    case pick(ViewKey, Media)
    case back
    case link(String)
    /// A link from elsewhere leads to a screen, about something. Screens above one that is open already are closed.
    case arrive(entry: String, content: Value)
    /// A link from elsewhere leads to an item of a list on the visible screen, which is then chosen. Lists are named by
    /// their identifiers.
    case reveal(list: String, item: RevealedItem)
    /// Another program continues. Repeating timers of the open screens begin again; with `asksAgain`, everything that
    /// these screens do on load is done again.
    case replaced(asksAgain: Bool)
    /// The same program continues with other documents. What the screens with these numbers repeat begins again, and data
    /// that were never asked are.
    case continued(moved: [Int])
    /// The host wants newer data: what the open screens ask on load is asked again, and nothing is changed on a server.
    case update
    /// Time has passed; the environment says how much.
    case time
    case response(request: Int, RequestOutcome)
    case progress(request: Int, Double)
    case setting(String, Value)
    /// The host's cache has other values than the widget.
    case cached([CacheChange])
    /// The host waits no longer for these requests. They have failed, for the given reason.
    case abandon(requests: [Int], reason: String)
    /// The program behind a native widget wants steps on a screen that is open; `isOpening` if for no other reason than
    /// that a screen has opened.
    case perform([Step], screen: Int, isOpening: Bool = false)
    /// The host answers what an action asked for.
    case signal(name: String, phase: SignalPhase, error: String?)
}

extension Event {
    /// True for acts of a person, and for what the app decides. What follows from something else has the cause of that: the
    /// opening of a screen, an act before it, or another widget. Pages scroll by themselves to the end of a list that is in view.
    var isPersonal: Bool {
        switch self {
        case .tap, .input, .submit, .select, .deleteRow, .refresh, .pick, .back, .link, .arrive, .reveal,
            .setting,
            .signal:
            true
        case .perform(_, _, let isOpening): !isOpening
        case .start, .scroll, .replaced, .continued, .update, .time, .response, .progress, .abandon, .cached: false
        }
    }
}

/// A picture or a film, as the user has picked it.
package struct Media: Equatable, Sendable {
    package var fileName: String
    package var bytes: [UInt8]
    package var contentType: String
    package var isFilm: Bool

    package init(fileName: String, bytes: [UInt8], contentType: String, isFilm: Bool) {
        self.fileName = fileName
        self.bytes = bytes
        self.contentType = contentType
        self.isFilm = isFilm
    }
}

package enum SignalPhase: String, Sendable {
    case start = "Start"
    case progress = "Progress"
    case ready = "Ready"
    case success = "Success"
    case error = "Error"
}

/// An action that the host performs because of an event.
package enum Effect: Sendable {
    case request(number: Int, ServiceRequest)
    case cancel(number: Int)
    /// These records have changed; the host stores them, and forgets the deleted ones.
    case persist([RecordID])
    case open(String)
    /// The host is asked to do something.
    case native(HostCall, argument: Value)
    /// A closure of the program behind a native widget is called.
    case handle(HandlerCall)
    case settings
    /// A value of the widget's cache is stored or removed.
    case cache(CacheChange)
}

/// One line of the log, for an author who debugs a widget.
package struct LogEntry: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case event, action, request, response, signal, stored, navigation, timer, alert, source
    }

    package var kind: Kind
    package var text: String
}

/// The result of an event.
package struct Transition: Sendable {
    package var store: Store
    package var effects: [Effect]
    package var diagnostics: [Finding]
    package var log: [LogEntry]
    /// The reason, if the event asked for something that is not possible.
    package var refusal: String?
    /// The refusal, if it is that of a form, which shows what is wrong with its fields.
    package var formRefusal: FormRefusal?
    /// The reason why an action sent no request, if one lacked its authorization.
    package var unsent: String?
    /// The steps that the event used, of ``Budget/stepCount``.
    package var stepCount: Int
    /// The requests that ended without an answer that could be used.
    package var failures: [RequestFailure] = []
    /// The beginnings and ends of requests.
    package var requests: [RequestNote] = []
}

/// The end of a request that brought no data.
package struct RequestFailure: Equatable, Sendable {
    /// The number of the request.
    package var request: Int
    /// The reason, for people; the action's name is in front.
    package var reason: String
    /// The seconds that the server asks to wait.
    package var retryAfter: Double?
}

/// The refusal of a form whose fields do not have what it demands.
package struct FormRefusal: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        package var key: ViewKey
        package var message: String
    }

    /// In the order of the screen; never empty.
    package var fields: [Field]
    /// The reason, with the identifiers of the fields, for authors.
    package var sentence: String
}

/// The outside world at one moment: every input of an evaluation that is not in the scene or the store.
package struct Environment: Equatable, Sendable {
    /// Seconds since the first moment of 2001, UTC.
    package var now: Double
    /// The seed of random numbers.
    package var seed: UInt64
    /// The reader's time zone.
    package var timeZone: TimeZoneRules
    /// The reader's language, as `en_US`.
    package var locale: String

    /// The language and region of a reader of whom nothing is known.
    package static let usualLocale = "en_US"
    /// The place in which the host shows the widget.
    package var display: Display
    /// The abilities of the host. Programs can do without those that it lacks.
    package var abilities: Set<HostAbility>

    package init(
        now: Double = 0, seed: UInt64 = 0, timeZone: TimeZoneRules = .utc, locale: String = Environment.usualLocale,
        display: Display = Display(), abilities: Set<HostAbility> = Set(HostAbility.allCases)
    ) {
        self.now = now
        self.seed = seed
        self.timeZone = timeZone
        self.locale = locale
        self.display = display
        self.abilities = abilities
    }
}
