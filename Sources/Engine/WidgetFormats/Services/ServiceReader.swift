internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Reads a service description: its actions, their requests, and the handling of their answers.
struct ServiceReader {
    private(set) var service: Service?
    private(set) var transformers: [String: Transformer] = [:]
    private(set) var diagnostics: [Finding] = []
    private let path: String
    private let lines: LineTable
    private var defaults: JSONItem.Object?
    /// The defaults of all actions, merged once, because most actions add nothing.
    private var common: [String: [(String, Value)]] = [:]
    private var commonParameters = StructuredTemplate(.null)
    private var commonHeaders: [(name: String, value: String)] = []
    /// The number of members of defaults that may still be copied for actions that add members.
    private var repetitions: Int
    private let limits: FormatLimits

    /// Keys whose values have messages that say more than the table's.
    private static let judged: Set<String> = ["parametersIn", "idempotencyKey", "records"]

    init(_ bytes: [UInt8], path: String, name: String, isScripted: Bool, _ limits: FormatLimits = FormatLimits()) {
        self.path = path
        self.limits = limits
        repetitions = limits.repeatedMemberCount
        lines = LineTable(bytes)
        let root: JSONItem
        do throws(JSONError) {
            root = try JSONTable(parsing: bytes, limits: JSONLimits(byteCount: limits.serviceByteCount)).root
        } catch {
            diagnostics = [
                Finding(
                    .error, .badFile, "\(error.reason)",
                    at: Place(file: path, line: error.line, column: error.column, path: "\(error.path)"))
            ]
            return
        }
        checkMembers(of: root)
        let (file, lines) = (path, self.lines)
        diagnostics += AddressCheck.diagnostics(root, isScripted: isScripted) { span, name in
            let position = lines.position(of: span.offset)
            return Place(file: file, line: position.line, column: position.column, path: name)
        }
        defaults = root["defaults"]?.object
        for name in ["headers", "parameters"] { common[name] = members(name, of: defaults) }
        commonParameters = StructuredTemplate(.dictionary(PredicateDictionary(common["parameters"] ?? [])))
        commonHeaders = headers(PredicateDictionary(common["headers"] ?? []), at: Place(file: path, path: "defaults"))
        let options = root["options"]?.object
        var service = Service(name, isScripted: isScripted, place: Place(file: path))
        service.source = Digest.sha256(bytes)
        service.failsUnknown = options?["unknownActionFails"]?.boolean ?? false
        if let auth = root["auth"]?.object, let setting = auth["setting"]?.string, !setting.isEmpty {
            service.authorization = Service.Authorization(
                setting: setting, header: auth["header"]?.string ?? "Authorization",
                scheme: auth["scheme"]?.string ?? "Bearer")
        }
        let delay = options?["debugDelay"]?.double ?? 0
        if isScripted, delay > limits.longestScriptedDelay {
            diagnostics.append(
                Finding(
                    .warning, .badValue, "The debugDelay is \(Value.text(delay)) s",
                    at: Place(file: path, path: "options"),
                    hint: "the longest is \(Value.text(limits.longestScriptedDelay)) s"))
        }
        var names: [String] = []
        var nextPlaces: [String: Place] = [:]
        for member in root["actions"].members {
            guard let object = member.value.object else { continue }
            guard names.count < limits.actionCount else {
                diagnostics.append(
                    Finding(
                        .error, .nodeBudget, "A service has more than \(limits.actionCount) actions",
                        at: place(member.nameSpan, member.name), hint: "the first ones work"))
                break
            }
            names.append(member.name)
            var action = self.action(member, object)
            if let next = object["nextAction"] { nextPlaces[member.name] = place(next.span, member.name) }
            if isScripted, action.response == nil, action.changes.isEmpty, action.fault == nil {
                diagnostics.append(
                    Finding(
                        .warning, .response, "\(member.name.excerpt) has no response, so it always fails",
                        at: action.place, hint: "response is its answer, as a server would give it"))
            }
            action.delay = isScripted ? min(max(delay, 0), limits.longestScriptedDelay) : 0
            service.actions[member.name] = action
        }
        for name in names where hasRoom {
            if let action = service.actions[name], let next = action.nextAction, service.actions[next] == nil {
                diagnostics.append(
                    Finding(
                        .error, .unknownAction, "\(name) is to be followed by \(next.excerpt), which does not exist",
                        at: nextPlaces[name] ?? action.place, value: next.excerpt,
                        nearest: NearestName.of(next, in: names),
                        hint: KeyTable.list(names, "the service has")))
            }
        }
        checkAuthorization(of: service, root["auth"])
        if let file = root.object, hasRoom {
            var remarks = AddressRemarks(upTo: Program.diagnosticCount + 1 - diagnostics.count) { [path, lines] in
                ServiceReader.place($0, $1, ofByte: $2, in: path, lines, bytes)
            }
            remarks.read(file)
            diagnostics += remarks.found
        }
        self.service = service
        let transformers = options?["transformers"]?["date"]
        for member in transformers.members {
            if let object = member.value.object { readTransformer(member, object) }
        }
    }

    /// False once there are more diagnostics than are shown. Looking for hints takes its time.
    private var hasRoom: Bool { diagnostics.count <= Program.diagnosticCount }

    private func place(_ span: JSONSpan, _ name: String) -> Place {
        let position = lines.position(of: span.offset)
        return Place(file: path, line: position.line, column: position.column, path: name)
    }

    /// The place of a byte of a text; that of the text itself if it has escapes.
    private static func place(
        _ span: JSONSpan, _ name: String, ofByte offset: Int?, in path: String, _ lines: LineTable, _ bytes: [UInt8]
    ) -> Place {
        var start = span.offset
        if let offset, start + span.byteCount <= bytes.count,
            !bytes[start..<start + span.byteCount].contains(UInt8(ascii: "\\"))
        {
            start += 1 + offset
        }
        let position = lines.position(of: start)
        return Place(file: path, line: position.line, column: position.column, path: name)
    }

    /// The keys of an authorization through a browser, as the framework's Twitter sample has them.
    private static let browserKeys = ["url", "requestTokenPath", "accessTokenPath", "callbackUrl"]

    /// Reports requests that need an authorization when nothing says which one.
    private mutating func checkAuthorization(of service: Service, _ auth: JSONItem?) {
        guard service.authorization == nil, !service.isScripted else { return }
        if let key = auth.members.first(where: { ServiceReader.browserKeys.contains($0.name) }) {
            diagnostics.append(
                Finding(
                    .warning, .missingAuthorization,
                    "Signing in through a browser is the work of a host, and is not done here",
                    at: place(key.nameSpan, "auth.\(key.name)"),
                    hint: "requests are sent without an authorization; auth.setting names a setting that has one"))
            return
        }
        let needy = service.actions.values.filter { $0.needsAuthorization }.sorted { $0.name < $1.name }
        guard let first = needy.first else { return }
        diagnostics.append(
            Finding(
                .warning, .missingAuthorization,
                "\(first.name.excerpt) needs an authorization, and the description does not say which",
                at: first.place, hint: "it is sent without one; auth.setting names a setting that has one"))
    }

    private mutating func action(_ member: JSONItem.Member, _ object: JSONItem.Object) -> ServiceAction {
        let place = place(member.nameSpan, member.name)
        check(object, against: .serviceAction, member.name.excerpt)
        let parameters = merged("parameters", object, at: place)
        var action = ServiceAction(
            member.name, url: Template(url(object["path"]?.string), .keys),
            parameters: parameters.map { StructuredTemplate(.dictionary($0)) } ?? commonParameters, place: place)
        action.hasParameters = (parameters?.count ?? common["parameters"]?.count ?? 0) > 0
        action.parameterPlace = parameterPlace(object, of: action)
        let method = (value("httpMethod", object)?.string ?? "GET").uppercased()
        action.method = ServiceKeys.methods.contains(method) ? method : "GET"
        if action.method != method { reportChoice("httpMethod", method, ServiceKeys.methods, at: place) }
        action.headers = merged("headers", object, at: place).map { headers($0, at: place) } ?? commonHeaders
        action.resultKeyPath = keys(value("resultKeyPath", object)?.string ?? "")
        action.errorKeyPath = keys(value("errorKeyPath", object)?.string ?? "error")
        action.needsAuthorization = truth(value("needAuth", object))
        if let type = object["resultType"]?.string, !type.isEmpty {
            let isArray = type.hasPrefix("[") && type.hasSuffix("]")
            action.resultPlace = object["resultType"].map { self.place($0.span, member.name) }
            action.result = ServiceAction.Result(
                entity: isArray ? String(type.dropFirst().dropLast()) : type, isArray: isArray)
        }
        if let policy = object["clearPolicy"]?.string {
            if let known = ServiceAction.ClearPolicy(rawValue: policy) {
                action.clearPolicy = known
            } else {
                diagnostics.append(
                    Finding(
                        .error, .badValue, "The clear policy \(policy.excerpt) does not exist", at: place,
                        hint: "none, before or after"))
            }
        }
        readWaiting(object, &action)
        action.nextAction = object["nextAction"]?.string
        action.sets = object["set"].members.filter { $0.name != "***" }.map {
            ($0.name, Value($0.value))
        }
        action.isUpload = truth(object["isUpload"])
        action.multipart = object["multipart"].members.compactMap { part in
            part.value.string.map { (part.name, $0) }
        }
        action.response = object["response"].map { Value($0) }
        RecordChangeReader.read(object["records"], into: &action, upTo: limits.recordChangeCount, &diagnostics)
        return action
    }

    /// The place of an action's parameters: the body, as in the framework, unless the description says otherwise.
    private mutating func parameterPlace(_ object: JSONItem.Object, of action: ServiceAction) -> ParameterPlace {
        guard let written = value("parametersIn", object) else { return .body }
        if let place = written.string.flatMap(ParameterPlace.init) { return place }
        let names = ParameterPlace.allCases.map { $0.rawValue }
        let nearest = written.string.flatMap { NearestName.of($0, in: names) }
        diagnostics.append(
            Finding(
                .error, .badValue, "\(action.name.excerpt) does not say where its parameters belong",
                at: place(written.span, "\(action.name).parametersIn"),
                nearest: nearest, hint: "parametersIn is query, body or json"))
        return .body
    }

    /// Reads our additions: the handling of the time before an answer, and of a missing answer.
    private mutating func readWaiting(_ object: JSONItem.Object, _ action: inout ServiceAction) {
        action.optimistic = object["optimistic"].members.compactMap { member in
            member.value.string.map { (member.name, Template($0, .keyPaths)) }
        }
        let cacheTime = value("cacheSeconds", object)?.double ?? 0
        if cacheTime > limits.longestCacheTime {
            diagnostics.append(
                Finding(
                    .warning, .badValue, "The answer is to stay good for \(Value.text(cacheTime)) s",
                    at: action.place, hint: "the longest is \(Value.text(limits.longestCacheTime)) s"))
        }
        action.cacheTime = min(max(cacheTime, 0), limits.longestCacheTime)
        if let key = value("idempotencyKey", object) {
            action.isKeyed = key.boolean ?? false
            if key.boolean == nil {
                diagnostics.append(
                    Finding(
                        .error, .badValue, "\(action.name) does not say whether it wants an idempotency key",
                        at: action.place, hint: "true or false"))
            }
        }
        if let name = value("offline", object)?.string {
            if let policy = ServiceAction.Offline(rawValue: name) {
                action.offline = policy
            } else {
                diagnostics.append(
                    Finding(
                        .error, .badValue, "The policy \(name) without a network does not exist", at: action.place,
                        hint: "fail, keep or retry"))
            }
        }
    }

    private func value(_ name: String, _ object: JSONItem.Object) -> JSONItem? { object[name] ?? defaults?[name] }

    /// A truth value; 1 counts as true, as in the framework.
    private func truth(_ value: JSONItem?) -> Bool { value?.boolean ?? value?.double.map { $0 == 1 } ?? false }

    // MARK: - Checks

    /// Reports members without a use, and values of the wrong kind, at every level above the actions.
    private mutating func checkMembers(of root: JSONItem) {
        guard let file = root.object else {
            diagnostics.append(
                Finding(
                    .error, .badValue, "A service description must be an object", at: place(root.span, ""),
                    hint: #"as in {"actions": {}}"#))
            return
        }
        check(file, against: .service, "")
        if let defaults = file["defaults"]?.object { check(defaults, against: .serviceDefaults, "defaults") }
        if let auth = file["auth"]?.object { check(auth, against: .authorization, "auth") }
        if let options = file["options"]?.object { check(options, against: .serviceOptions, "options") }
        if let kinds = file["options"]?["transformers"]?.object {
            check(kinds, against: .transformers, "options.transformers")
        }
        checkObjects(file["actions"], "An action")
        checkObjects(file["options"]?["transformers"]?["date"], "A transformer")
    }

    /// Reports members that are not objects where each must be one.
    private mutating func checkObjects(_ json: JSONItem?, _ owner: String) {
        for member in json.members where member.name != SchemeKeys.comment && member.value.object == nil {
            let shape = AuthoredShape(member.value)
            if case .null = shape { continue }
            diagnostics.append(
                Finding(
                    .error, .badValue, "\(owner) must be an object, and \(member.name.excerpt) is \(shape.name)",
                    at: place(member.nameSpan, member.name)))
        }
    }

    private mutating func check(_ object: JSONItem.Object, against table: KeyTable, _ owner: String) {
        for member in object.members where hasRoom && !ServiceReader.judged.contains(member.name) {
            guard let fault = table.fault(member.name, AuthoredShape(member.value), at: Place(file: path)) else {
                continue
            }
            report(fault, member, owner)
        }
    }

    /// Adds a fault at the place of its member, which is only looked up for faults.
    private mutating func report(_ fault: Finding, _ member: JSONItem.Member, _ owner: String) {
        var fault = fault
        fault.place = place(member.nameSpan, owner.isEmpty ? member.name : "\(owner).\(member.name.excerpt)")
        diagnostics.append(fault)
    }

    private mutating func reportChoice(_ name: String, _ value: String, _ known: [String], at place: Place) {
        guard hasRoom else { return }
        diagnostics.append(
            Finding(
                .warning, .badValue, "The \(name) \(value.excerpt) does not exist", at: place,
                value: value.excerpt, nearest: NearestName.of(value, in: known), hint: KeyTable.list(known, "it can be")
            ))
    }

    private func keys(_ path: String) -> [String] { path.split(separator: ".").map(String.init) }

    private mutating func headers(
        _ values: PredicateDictionary, at place: Place
    ) -> [(name: String, value: String)] {
        let headers = zip(values.keys, values.values).map { (name: $0, value: $1.shown) }
        let byteCount = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard byteCount <= limits.headerByteCount else {
            diagnostics.append(
                Finding(
                    .error, .byteBudget,
                    "The headers come to more than \(limits.headerByteCount) bytes", at: place,
                    hint: "none of them is sent"))
            return []
        }
        return headers
    }

    private func members(_ name: String, of object: JSONItem.Object?) -> [(String, Value)] {
        (object?[name]).members.filter { $0.name != "***" }.map { member in
            let value = Value(member.value)
            return (member.name, name == "headers" ? oneLine(value) : value)
        }
    }

    /// The value with line breaks replaced, because a header is one line. Too long values stay as they are and are not
    /// sent.
    private func oneLine(_ value: Value) -> Value {
        let text = value.shown
        guard text.utf8.count <= limits.headerByteCount else { return value }
        return .string(String(text.map { $0.isNewline ? " " : $0 }))
    }

    /// The defaults of all actions with the members of one action on top; `nil` if the action gives none.
    private mutating func merged(_ name: String, _ object: JSONItem.Object, at place: Place) -> PredicateDictionary? {
        let own = members(name, of: object)
        guard !own.isEmpty else { return nil }
        let given = common[name] ?? []
        repetitions -= given.count
        guard repetitions >= 0 else {
            diagnostics.append(
                Finding(
                    .error, .badFile, "The \(name) of all actions come to too many to be given to each", at: place,
                    hint: "the action has its own alone"))
            return PredicateDictionary(own)
        }
        return PredicateDictionary(given + own)
    }

    private func url(_ path: String?) -> String {
        var base = defaults?["baseUrl"]?.string ?? ""
        if !base.isEmpty, !base.hasSuffix("/") { base += "/" }
        guard let path else { return base }
        return path.hasPrefix("http") ? path : base + path.drop { $0 == "/" }
    }

    private mutating func readTransformer(_ member: JSONItem.Member, _ object: JSONItem.Object) {
        check(object, against: .dateTransformer, member.name.excerpt)
        let locale = object["locale"]?.string ?? "en_US_POSIX"
        let pattern: DatePattern
        if let format = object["format"]?.string {
            pattern = DatePattern(format, locale: locale)
            if format.count > DatePattern.patternLength {
                diagnostics.append(
                    Finding(
                        .error, .byteBudget, "A pattern has more than \(DatePattern.patternLength) letters",
                        at: place(member.nameSpan, member.name), hint: "its beginning counts"))
            }
        } else {
            let place = place(member.nameSpan, member.name)
            pattern = DatePattern(
                date: style("dateStyle", object, at: place), time: style("timeStyle", object, at: place), locale: locale
            )
        }
        if !pattern.isKnownLocale {
            diagnostics.append(
                Finding(
                    .warning, .unknownLocale, "The names of months and days are not known in \(locale)",
                    at: place(member.nameSpan, member.name), hint: "English ones are used"))
        }
        transformers[member.name] = .date(pattern)
    }
}

extension ServiceReader {
    private mutating func style(_ name: String, _ object: JSONItem.Object, at place: Place) -> DatePattern.Style {
        guard let text = object[name]?.string else { return .none }
        if let style = DatePattern.Style(rawValue: text) { return style }
        reportChoice(name, text, ServiceKeys.styles, at: place)
        return .none
    }
}
