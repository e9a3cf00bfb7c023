import Widgets

/// A walk, as the service describes it.
struct Walk: Codable, Sendable, Identifiable {
    var id: Int
    var name: String
    var minutes: Int
    var about: String
    var hint: String?

    /// Whole hours, for whoever plans a day.
    var hours: Int { (minutes + 59) / 60 }

    /// The answer of the service in `Bundle/StubService.json`.
    static var all: ServiceAnswer<[Walk]> { ServiceAnswer("walks", with: ["region": "coast"], part: "walks") }
}
