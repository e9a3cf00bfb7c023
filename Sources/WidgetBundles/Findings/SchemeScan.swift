internal import Bytes
internal import JSONText

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
                "\(ShownText.quoted(member.name)) is no part of an object's description")
        }
        if let type = object["type"] { name(type, of: "class", in: FrameworkNames.mediators, .unknownClass) }
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
                name(value, of: "class", in: FrameworkNames.serviceProviders, .unknownClass)
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

    /// A binding as interface files write it: the inside of an object, in a string. What is wrong inside is
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
                if let code = FindingCode(rawValue: finding.code) { sheet.note(code, at: value.span, finding.detail) }
            }
        } catch {
            // The framework logs such a text and drops it.
            return
        }
    }
}

// MARK: - Strings

extension SchemeScan {
    private mutating func name(_ value: JSONItem, of kind: String, in known: Set<String>, _ code: FindingCode) {
        guard let text = value.string, !text.isEmpty, !known.contains(text) else { return }
        sheet.note(code, at: value.span, "the framework has no \(kind) \(ShownText.quoted(text)); a host may")
    }

    private mutating func keyPath(_ text: String, at span: JSONSpan, _ use: KeyPath.Use, from offset: Int = 0) {
        guard let exit = KeyPath.exit(of: text, use) else { return }
        sheet.note(
            .keyPath, at: span, textOffset: offset + exit.offset,
            "\(ShownText.quoted(exit.component)) leaves the object of the path")
    }

    private mutating func predicate(_ value: JSONItem) {
        guard let text = value.string else { return }
        let reading = PredicateReading(text)
        for problem in reading.problems {
            sheet.note(problem.code, at: value.span, textOffset: problem.offset, problem.detail)
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

    /// The framework writes `FUNCTION(SELF,'name','argument')`, so a quote ends its text, and a backslash at
    /// the end keeps it from ending.
    private func exitFromQuotation(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        if let quote = bytes.firstIndex(of: UInt8(ascii: "'")) { return quote }
        let backslashes = bytes.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return backslashes.isMultiple(of: 2) ? nil : bytes.count - 1
    }

    /// An array's strings, or one string's parts between vertical bars.
    private func chainParts(of value: JSONItem) -> [(text: String, span: JSONSpan, offset: Int)] {
        if let array = value.array {
            return array.compactMap { element in element.string.map { ($0, element.span, 0) } }
        }
        return parts(of: value, at: UInt8(ascii: "|")).map { ($0.text, value.span, $0.offset) }
    }

    /// The parts of a string without the blanks around them, and where each begins.
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
