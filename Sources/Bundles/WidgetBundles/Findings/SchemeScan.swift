internal import WidgetFindings
internal import JSONText
internal import WidgetBytes

/// Reads the screens of one scheme file.
struct SchemeScan {
    var sheet: FindingSheet
    /// The names of all transformers that the bundle's hosts will know.
    let transformers: Set<String>

    mutating func read(_ screens: [JSONItem.Member], isNamedAfterFile: Bool) {
        if !isNamedAfterFile, let first = screens.first {
            sheet.note(
                .schemeName, at: first.nameSpan, "a host looks for a screen named like the file, and finds none")
        }
        for screen in screens {
            for entry in screen.value["objects"].members {
                if let object = entry.value.object { read(object: object) }
            }
            for entry in screen.value["elements"].members {
                if let element = entry.value.object { read(element: element) }
            }
        }
    }

    private mutating func read(object: JSONItem.Object) {
        for member in object.members where !FrameworkNames.objectKeys.contains(member.name) {
            sheet.note(
                .unknownKey, at: member.nameSpan,
                "\(ShownText.quoted(member.name)) is not part of an object's description")
        }
        if let type = object["type"] { name(type, of: "class", in: FrameworkNames.mediators, .unknownType) }
        read(attributes: object["attrs"])
        for evaluation in object["evals"].members { read(binding: evaluation.value) }
    }

    private mutating func read(element: JSONItem.Object) {
        read(attributes: element["attrs"])
        if let bindings = element["bindings"]?.array {
            for binding in bindings { read(binding: binding) }
        }
        if let selector = element["action"]?["selector"] {
            name(selector, of: "selector", in: FrameworkNames.selectors, .unknownSelector)
        }
    }

    private mutating func read(attributes: JSONItem?) {
        for attribute in attributes.members where attribute.name != "***" {
            keyPath(attribute.name, at: attribute.nameSpan, .assigned)
            let value = attribute.value
            switch attribute.name {
            case "predicateFormat", "filterFormat": predicate(value)
            case "resultChain", "resultChainTxt": chain(value)
            case "resultChainArgs", "resultChainArgsTxt": chainArguments(value)
            case "sortByFields", "masterKeyPath", "groupByField":
                for (part, offset) in parts(of: value, at: UInt8(ascii: ",")) {
                    keyPath(part, at: value.span, .readFromItem, from: offset)
                }
            case "serviceProviderClassName":
                name(value, of: "class", in: FrameworkNames.serviceProviders, .unknownType)
            case "wx.addBinding": embeddedBinding(value)
            case "wx_imageUrl": address(value)
            default: continue
            }
        }
    }

    private mutating func read(binding: JSONItem) {
        guard let binding = binding.object else { return }
        if let value = binding["to"], let text = value.string { keyPath(text, at: value.span, .assigned) }
        if let value = binding["from"], let text = value.string { keyPath(text, at: value.span, .read) }
        if let value = binding["predicateFormat"] { predicate(value) }
        if let value = binding["transformer"] { name(value, of: "transformer", in: transformers, .unknownTransformer) }
        for key in ["format", "ifTrue", "ifFalse"] {
            if let value = binding[key] { format(value) }
        }
    }

    /// Reads a binding in an interface file's notation: the inside of an object, in a string. Faults inside are
    /// reported at the string.
    private mutating func embeddedBinding(_ value: JSONItem) {
        guard let text = value.string else { return }
        let bytes = Array("{\(text)}".utf8)
        do throws(JSONError) {
            let document = try JSONTable(parsing: bytes)
            var scan = SchemeScan(
                sheet: FindingSheet(path: sheet.path, document: document), transformers: transformers)
            scan.read(binding: document.root)
            for finding in scan.sheet.sorted() {
                sheet.note(finding.code, at: value.span, finding.message, hint: finding.hint)
            }
        } catch {
            // The framework logs such a text and drops it.
            return
        }
    }
}

// MARK: - Strings

extension SchemeScan {
    private mutating func name(_ value: JSONItem, of kind: String, in known: Set<String>, _ code: Finding.Code) {
        guard let text = value.string, !text.isEmpty, !known.contains(text) else { return }
        sheet.note(code, at: value.span, "the framework has no \(kind) \(ShownText.quoted(text)); a host may")
    }

    private mutating func keyPath(_ text: String, at span: JSONSpan, _ use: SchemeKeyPath.Use, from offset: Int = 0) {
        guard let exit = SchemeKeyPath.exit(of: text, use) else { return }
        sheet.note(
            .keyPath, at: span, textOffset: offset + exit.offset,
            "\(ShownText.quoted(exit.component)) leaves the object of the path")
    }

    private mutating func predicate(_ value: JSONItem) {
        guard let text = value.string else { return }
        let reading = PredicateReading(text)
        for problem in reading.problems {
            sheet.note(problem.code, at: value.span, textOffset: problem.offset, problem.detail, hint: problem.hint)
        }
        for path in reading.keyPaths { keyPath(path.text, at: value.span, .read, from: path.offset) }
        for pattern in reading.patterns where SlowPattern.offset(in: pattern.text) != nil {
            sheet.note(
                .slowPattern, at: value.span, textOffset: pattern.offset,
                "repetitions inside a repetition can take an engine that tries them all very long")
        }
    }

    private mutating func format(_ value: JSONItem) {
        guard let text = value.string else { return }
        let format = FormatText(text)
        for path in format.keyPaths { keyPath(path.text, at: value.span, .read, from: path.offset) }
        for fault in format.faults {
            sheet.note(.formatArgument, at: value.span, textOffset: fault.offset, fault.detail)
        }
    }

    private mutating func address(_ value: JSONItem) {
        guard let text = value.string else { return }
        for fault in ServiceAddress.faults(in: text) {
            sheet.note(fault.code, at: value.span, textOffset: fault.offset, fault.detail)
        }
    }

    private mutating func chain(_ value: JSONItem) {
        for (text, span, offset) in chainParts(of: value) {
            if let exit = exitFromQuotation(text) {
                sheet.note(
                    .resultChain, at: span, textOffset: offset + exit, "the name would end the quotation it is put into"
                )
            } else if !FrameworkNames.chainSteps.contains(text) {
                sheet.note(
                    .unknownSelector, at: span, textOffset: offset,
                    "the framework has no step \(ShownText.quoted(text)); a host may")
            }
        }
    }

    private mutating func chainArguments(_ value: JSONItem) {
        for (text, span, offset) in chainParts(of: value) {
            if let exit = exitFromQuotation(text) {
                sheet.note(
                    .resultChain, at: span, textOffset: offset + exit,
                    "the argument would end the quotation it is put into")
            } else {
                keyPath(text, at: span, .readFromItem, from: offset)
            }
        }
    }

    /// Returns the offset at which a text leaves its quotation. The framework writes
    /// `FUNCTION(SELF,'name','argument')`, so a quote ends the text, and a backslash at the end keeps it from ending.
    private func exitFromQuotation(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        if let quote = bytes.firstIndex(of: UInt8(ascii: "'")) { return quote }
        let backslashes = bytes.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return backslashes.isMultiple(of: 2) ? nil : bytes.count - 1
    }

    /// Returns an array's strings, or one string's parts between vertical bars.
    private func chainParts(of value: JSONItem) -> [(text: String, span: JSONSpan, offset: Int)] {
        if let array = value.array {
            return array.compactMap { element in element.string.map { ($0, element.span, 0) } }
        }
        return parts(of: value, at: UInt8(ascii: "|")).map { ($0.text, value.span, $0.offset) }
    }

    /// Returns the parts of a string without surrounding blanks, and the offset of each.
    private func parts(of value: JSONItem, at separator: UInt8) -> [(text: String, offset: Int)] {
        guard let text = value.string else { return [] }
        let bytes = Array(text.utf8)
        return bytes.split(separator: separator, omittingEmptySubsequences: true).map { part in
            let blank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            let trimmed = part.drop(while: blank)
            let end = trimmed.lastIndex { !blank($0) }.map { $0 + 1 } ?? trimmed.startIndex
            return (String(decoding: trimmed[trimmed.startIndex..<end], as: UTF8.self), trimmed.startIndex)
        }
    }
}

/// The names of objects that a scheme refers to but does not describe, so interfaces have to have them.
struct SchemeReferences {
    /// The names, each with the finding for when no interface has it.
    private(set) var unresolved: [(name: String, finding: Finding)] = []
    private var sheet: FindingSheet
    /// Names that every screen has.
    private static let everywhere: Set<String> = ["@self", "self", "content", "defaults", "***", ""]

    init(_ screens: [JSONItem.Member], sheet: FindingSheet) {
        self.sheet = sheet
        for screen in screens { read(screen.value) }
    }

    private mutating func read(_ screen: JSONItem) {
        var known = Self.everywhere
        for entry in screen["objects"].members {
            known.insert(entry.name)
            if let alias = entry.value.object?["alias"]?.string { known.insert(alias) }
        }
        for entry in screen["objects"].members {
            outlets(of: entry.value.object, known)
        }
        for entry in screen["elements"].members {
            guard let element = entry.value.object else { continue }
            refer(entry.name, at: entry.nameSpan, known, "no interface of the bundle has an object called")
            outlets(of: element, known)
            if let target = element["action"]?["target"], let name = target.string {
                refer(name, at: target.span, known, "no object of the scheme or of an interface is called")
            }
        }
    }

    private mutating func outlets(of object: JSONItem.Object?, _ known: Set<String>) {
        for outlet in object?["outlets"].members ?? Optional<JSONItem>.none.members {
            for target in outlet.value.array.map({ Array($0) }) ?? [outlet.value] {
                guard let name = target.string else { continue }
                refer(name, at: target.span, known, "no object of the scheme or of an interface is called")
            }
        }
    }

    private mutating func refer(_ name: String, at span: JSONSpan, _ known: Set<String>, _ sentence: String) {
        guard !known.contains(name), unresolved.count < FindingSheet.countLimit else { return }
        unresolved.append((name, sheet.finding(.unknownObject, at: span, "\(sentence) \(ShownText.quoted(name))")))
    }
}

/// A key path in a scheme or a service description, judged by its destination.
enum SchemeKeyPath {
    enum Use {
        /// Read from a screen's scope, where the first component is a name the scheme gave.
        case read
        /// Read from an item of a collection.
        case readFromItem
        /// Assigned: the last component is a property of the object reached before it.
        case assigned
    }

    /// Properties that always lead from an object to its surroundings.
    private static let surroundings: Set<String> = [
        "superview", "superlayer", "window", "nextResponder", "parentViewController", "presentingViewController",
        "presentedViewController", "navigationController", "tabBarController", "splitViewController",
        "viewController", "storyboard", "class", "superclass", "isa", "undoManager", "managedObjectContext",
        "persistentStoreCoordinator", "delegate", "dataSource",
    ]

    /// Properties that lead to the surroundings of a view or a controller, but are good names in content.
    private static let surroundingsUnlessContent: Set<String> = ["parent", "next", "screen", "bundle", "widget"]

    /// Returns the first component that leaves the object, and its offset in UTF-8 bytes.
    static func exit(of path: String, _ use: Use) -> (component: String, offset: Int)? {
        let isContent = use == .readFromItem || path == "content" || path.hasPrefix("content.")
        var offset = 0
        var rest = path[...]
        while true {
            let dot = rest.utf8.firstIndex(of: UInt8(ascii: "."))
            let component = dot.map { rest[..<$0] } ?? rest
            let isJudged =
                switch use {
                case .read: offset > 0
                case .readFromItem: true
                case .assigned: dot != nil
                }
            if isJudged, leaves(component, isContent: isContent) { return (String(component), offset) }
            guard let dot else { return nil }
            offset += component.utf8.count + 1
            rest = rest[rest.utf8.index(after: dot)...]
        }
    }

    private static func leaves(_ component: Substring, isContent: Bool) -> Bool {
        let name = String(component)
        return surroundings.contains(name) || (!isContent && surroundingsUnlessContent.contains(name))
    }
}
