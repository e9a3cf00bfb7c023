internal import JSONText
internal import WidgetCore

/// The parts of a value that is one of several: `{"match": …, "cases": {…}, "else": …}`.
struct MatchWords {
    let subject: DocumentValue
    let cases: DocumentValue
    let otherwise: DocumentValue?

    /// `nil` for another value.
    init?(_ value: DocumentValue) {
        guard let object = value.json.object, MatchWords.isMatch(object), let subject = value["match"],
            let cases = value["cases"]
        else { return nil }
        self.subject = subject
        self.cases = cases
        otherwise = value["else"]
    }

    /// True for an object that has nothing but these parts; another one is itself a value.
    static func isMatch(_ object: JSONObject) -> Bool {
        guard let cases = object["cases"], let subject = object["match"] else { return false }
        return cases.object != nil && !subject.isNull && object.count == (object["else"] == nil ? 2 : 3)
    }

    /// The fault of an object that is meant to choose, and has nothing to choose from; `nil` for another value.
    static func fault(of value: DocumentValue) -> Finding? {
        guard let object = value.json.object, object["match"] != nil,
            object.members.allSatisfy({ ["match", "cases", "else"].contains($0.name) })
        else { return nil }
        let fault: String
        if object["match"]?.isNull == true {
            fault = "A `match` has no value that chooses"
        } else if let cases = object["cases"] {
            guard cases.object == nil else { return nil }
            fault = "The `cases` of a `match` are \(cases.typeName.rawValue), and have to be an object"
        } else {
            fault = "A `match` has no `cases`"
        }
        return Finding(.warning, .badPayload, fault, at: value.place, hint: MatchWords.example)
    }

    private static let example = #"write {"match": "$name", "cases": {"Ann": "Hello"}, "else": "Who?"}"#

    /// All values that can be chosen.
    var results: [DocumentValue] { cases.members.map { $0.value } + [otherwise].compactMap { $0 } }
}
