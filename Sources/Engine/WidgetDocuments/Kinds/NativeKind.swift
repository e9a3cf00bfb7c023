internal import WidgetCore
internal import WidgetPredicates

/// An element that the program behind a native widget draws itself.
enum NativeWidget: DocumentKind {
    static let spec = KindSpec(
        type: "NativeWidget", "An element that the program of the widget draws itself.",
        properties: [
            PropertySpec("name", .text, isBindable: false, "the name of its type"),
            PropertySpec("text", .text, "the element in words, for terminals and all who do not see it"),
            PropertySpec("html", .text, "its markup in pages, which the program answers for"),
        ],
        events: [EventSpec("tap", "the element was tapped")],
        samples: [#"{"kind": "native", "payload": {"name": "Dial", "text": "7 of 10", "html": "<b>7</b>"}}"#])
}

extension NativeWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        // A registry can have the kind where documents of bundles are read.
        guard maker.library.allowsNative else { throw NativeWords.fault("The kind", element.value) }
        let node = try maker.add(.native, at: element.place)
        for (name, property) in [("text", PropertyName.text), ("html", .html)] {
            if let expression = try element.expression(name, in: &maker) { maker.nodes[node][property] = expression }
        }
        if let name = element.text("name") { maker.nodes[node][.typeName] = .literal(.string(name)) }
        maker.looks[node].appearance.lines = 0
        try maker.addEvents(of: element, ["tap": .tap], to: node)
        return Lowered(node)
    }
}

/// The words of documents that only a program can write.
enum NativeWords {
    /// The action that calls a closure.
    static let action = ActionSpec(
        "native", "calls a closure of the widget's program",
        [
            PropertySpec("handler", .text, isBindable: false, isRequired: true, "the name of the closure"),
            PropertySpec("value", .anything, "its argument; that of the event if left out"),
            PropertySpec("with", .object, "its argument as an object of values, by their names"),
        ])

    /// The fault of such a word in a bundle.
    ///
    /// - Parameter what: the beginning of the sentence.
    static func fault(_ what: String, _ value: DocumentValue) -> ElementFault {
        value.fault(
            .nativeCode, "\(what) native needs the program of the widget, and a bundle has none",
            hint: "run the widget's package, or use the kinds and actions of documents")
    }
}

extension SceneMaker {
    /// The step of the action that calls a closure.
    mutating func handlerCall(_ value: DocumentValue, _ words: Lexicon) throws(ElementFault) -> Step {
        guard library.allowsNative else { throw NativeWords.fault("The action", value["do"] ?? value) }
        let members = try CheckedMembers(
            value, NativeWords.action.members, of: NativeWords.action.name, around: value, known: ["do", "comment"],
            &self)
        if let with = members["with"] {
            guard members["value"] == nil else {
                throw with.fault(.badPayload, "The native has a value and a with", hint: "take one of them out")
            }
            return .handle(members.text("handler") ?? "", argument: try passed(with, words))
        }
        return .handle(members.text("handler") ?? "", argument: try members.expression("value", words, &self))
    }
}
