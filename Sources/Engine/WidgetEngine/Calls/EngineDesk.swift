internal import JSONText
internal import WidgetAddresses
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetLayout
internal import WidgetPredicates
internal import WidgetRender
internal import WidgetRunning

/// The engine as a host calls it: each call names what it wants, and each answer is whole. A desk has one widget at most.
package struct EngineDesk {
    private var widget: EngineWidget?
    private var grants: [GrantRule] = []
    private var program: Program?
    private var options = PrintOptions()

    package init() {}

    /// Carries out a call.
    package mutating func answer(_ call: EngineCall) -> EngineAnswer {
        do throws(SettingFault) {
            let name = call.text("call") ?? ""
            switch name {
            case "render": return EngineDesk.render(call)
            case "inspect": return EngineDesk.inspect(call)
            case "prove": return EngineInspection.proof(call.bytes("archive") ?? [])
            case "evaluate": return EngineDesk.evaluate(call)
            case "granted": return try granted(call)
            case "open": return try open(call)
            default: break
            }
            guard let widget else { throw SettingFault("no widget was opened") }
            return try answer(name, call, widget)
        } catch {
            return EngineAnswer(fault: "misuse", "\(error)", hints: error.hints)
        }
    }

    // MARK: - Without a widget

    private static func render(_ call: EngineCall) -> EngineAnswer {
        var input = EngineRender.Input(
            arguments: call.texts("arguments"), archive: call.bytes("archive") ?? [],
            script: call.bytes("script") ?? [], zone: call.bytes("zone"), now: call.number("now") ?? 0)
        for name in call.json.object?["media"]?.object?.members ?? [] {
            if let place = name.value.integer, call.pieces.indices.contains(Int(clamping: place)) {
                input.media[name.name] = call.pieces[Int(clamping: place)]
            }
        }
        input.usualZone = call.text("usual-zone") ?? ""
        let output = EngineRender.run(input)
        let pieces = [Array(output.output.utf8), Array(output.errors.utf8)] + output.files.map { $0.bytes }
        return EngineAnswer(pieces) { writer in
            writer.member("code", output.code)
            writer.key("files")
            writer.array { for file in output.files { $0.string(file.name) } }
        }
    }

    /// The findings of a registry about an archive.
    private static func inspect(_ call: EngineCall) -> EngineAnswer {
        switch EngineInspection.of(call.bytes("archive") ?? []) {
        case .success(let text): EngineAnswer([Array(text.utf8)])
        case .failure(let error): EngineAnswer(fault: error.code.rawValue, "\(error)", hints: [error.remedy])
        }
    }

    /// The value of an expression, or whether a predicate holds, for a value in JSON.
    private static func evaluate(_ call: EngineCall) -> EngineAnswer {
        EngineInspection.evaluate(
            call.text("expression") ?? "", call.json.object?["subject"], now: call.number("now") ?? 0)
    }

    // MARK: - One widget

    private mutating func open(_ call: EngineCall) throws(SettingFault) -> EngineAnswer {
        guard widget == nil else { throw SettingFault("this engine has a widget already; each widget has one") }
        let screen = try ScreenSettings(isContained: call.truth("contained")) { call.text($0) }
        let zone =
            call.bytes("zone").flatMap { TimeZoneRules(file: $0) }
            ?? call.text("time-zone").flatMap { TimeZoneRules(posix: $0) } ?? .utc
        var environment = try ReaderSettings.environment({ call.text($0) }, now: call.number("now") ?? 0, zone)
        environment.display = Display(
            mode: screen.mode ?? .expanded, maximum: screen.viewport.size, insets: screen.insets)
        environment.seed = call.number("seed").map { $0.bitPattern } ?? .random(in: 0 ... .max)
        grants = try EngineDesk.rules(call.json.object?["grants"])
        var bundle: EngineBundle
        do throws(WidgetError) {
            bundle = try EngineBundle(
                archive: call.bytes("archive") ?? [], named: call.text("name") ?? "the archive",
                identifier: call.text("widget-id"), entryPoint: call.text("entry") ?? "Main",
                isDevelopment: call.truth("development"), locale: call.text("locale") ?? "")
        } catch {
            var output = EngineOutput()
            if case .bundle(let refusal) = error {
                output.refuse(refusal, call.text("name") ?? "the archive")
                return EngineAnswer(fault: refusal.code.rawValue, "\(error)", hints: [refusal.remedy])
            }
            return EngineAnswer(fault: "invalid-program", "\(error)")
        }
        if let name = call.text("screen") {
            guard let started = bundle.program.beginning(with: name) else {
                throw SettingFault(
                    "the bundle has no screen \(name)",
                    hints: ["it has \(bundle.program.entries.keys.sorted().joined(separator: ", "))"])
            }
            bundle.program = started
        }
        let offersStubs = bundle.program.offersStubs
        if call.truth("stubs") { bundle.program = bundle.program.answeringByStubs }
        program = bundle.program
        options = PrintOptions(viewport: screen.viewport)
        options.scheme = screen.scheme
        options.locale = call.text("locale") ?? ""
        var place = EnginePlace(environment: environment, viewport: screen.viewport, scheme: screen.scheme)
        place.isContained = call.truth("contained")
        place.pictureFolder = call.text("pictures") ?? ""
        let widget = EngineWidget(bundle, at: place, keeping: call.bytes("records"))
        self.widget = widget
        let keys = bundle.program.cachedKeys
        return EngineAnswer { writer in
            writer.member("identifier", bundle.identifier)
            writer.member("content", bundle.content)
            writer.member("stubs", offersStubs)
            writer.key("cached")
            writer.array { for key in keys { $0.string(key) } }
        }
    }

    /// Judges an address by the grants that the call names, or else by those of the widget.
    private func granted(_ call: EngineCall) throws(SettingFault) -> EngineAnswer {
        let rules = call.json.object?["grants"] == nil ? grants : try EngineDesk.rules(call.json.object?["grants"])
        let isGranted = EngineDesk.rule(call.json.object?["url"]).map { url in rules.contains { $0.allows(url) } }
        return EngineAnswer { $0.member("granted", isGranted ?? false) }
    }

    private static func rules(_ json: JSONValue?) throws(SettingFault) -> [GrantRule] {
        var rules: [GrantRule] = []
        for entry in json?.array ?? [] {
            guard let rule = rule(entry) else { throw SettingFault("a grant has no scheme, host, port and path") }
            rules.append(rule)
        }
        return rules
    }

    private static func rule(_ json: JSONValue?) -> GrantRule? {
        guard let object = json?.object, let scheme = object["scheme"]?.string, let host = object["host"]?.string,
            let port = object["port"]?.integer.flatMap({ UInt16(exactly: $0) }), let path = object["path"]?.string
        else { return nil }
        return GrantRule(scheme: scheme, host: host, port: port, path: path)
    }

    private mutating func answer(
        _ name: String, _ call: EngineCall, _ widget: EngineWidget
    ) throws(SettingFault) -> EngineAnswer {
        let now = call.number("now") ?? widget.instance.environment.now
        switch name {
        case "start": widget.start(at: now)
        case "tick": widget.tick(at: now)
        case "act": try widget.act(call.bytes("batch") ?? [], at: now)
        case "pick":
            guard let key = call.text("key").flatMap({ ViewKey($0) }) else { throw SettingFault("no element is named") }
            try widget.pick(key, call.text("name") ?? "", call.bytes("file") ?? [], at: now)
        case "link":
            if let reason = widget.open(call.text("link") ?? "", at: now) {
                return EngineAnswer(fault: "not-found", reason)
            }
        case "show":
            let screen = try ScreenSettings(isContained: widget.isContained) { call.text($0) }
            (options.viewport, options.scheme) = (screen.viewport, screen.scheme)
            widget.show(
                in: screen.viewport,
                Display(mode: screen.mode ?? .expanded, maximum: screen.viewport.size, insets: screen.insets),
                scheme: screen.scheme, at: now)
        case "page":
            let page = widget.page()
            return EngineAnswer([page.html, Array(page.sheet.utf8)]) { writer in
                writer.member("title", page.title)
                writer.member("visible", page.isVisible)
            }
        case "changes": return EngineAnswer([try widget.changes()])
        case "picture":
            guard let bytes = widget.picture(call.text("name") ?? "") else {
                return EngineAnswer(fault: "not-found", "the widget has no such picture")
            }
            return EngineAnswer([bytes])
        case "sheets": return EngineAnswer(widget.sheets)
        case "requests": return requests(of: widget)
        case "answer": try answer(call, widget, now)
        case "unsaved": return EngineAnswer(widget.takeUnsaved().map { [$0] } ?? [])
        case "cache": return cacheChanges(of: widget)
        case "recall": widget.recall(EngineDesk.changes(call))
        case "wishes": return wishes(of: widget)
        case "snapshot": return snapshot(of: widget, call)
        case "look": return EngineAnswer([widget.inspection(at: call.integer("moment"))])
        default: throw SettingFault("the engine has no call \(name)")
        }
        return state(of: widget)
    }

    /// The state that a host needs to know after each event: how often its reader can go back, and when the next tick is due.
    private func state(of widget: EngineWidget) -> EngineAnswer {
        let (next, notices) = (widget.nextMoment, widget.takeNotices())
        let depth = widget.instance.store.backCount
        return EngineAnswer { writer in
            writer.member("depth", depth)
            if next.isFinite { writer.member("next", next) }
            writer.key("notices")
            writer.array { for notice in notices { $0.string(notice) } }
        }
    }

    private func requests(of widget: EngineWidget) -> EngineAnswer {
        let requests = widget.takeRequests()
        return EngineAnswer(requests.map { EngineDesk.body(of: $0.request).bytes }) { writer in
            writer.key("requests")
            writer.array { writer in
                for (place, outgoing) in requests.enumerated() {
                    let request = outgoing.request
                    writer.object { writer in
                        writer.member("number", outgoing.number)
                        writer.member("service", outgoing.service)
                        writer.member("action", outgoing.action)
                        writer.member("method", request.method)
                        writer.member("url", request.url)
                        writer.member("repeatable", request.isRepeatable)
                        writer.member("body", place)
                        if let type = EngineDesk.body(of: request).type { writer.member("type", type) }
                        writer.key("headers")
                        writer.array { writer in
                            for header in request.headers {
                                writer.array { writer in
                                    writer.string(header.name)
                                    writer.string(header.value)
                                }
                            }
                        }
                        if let reserved = request.headers.first(where: { ReservedFields.has($0.name) }) {
                            writer.member("reserved", reserved.name)
                        }
                    }
                }
            }
        }
    }

    private static func body(of request: ServiceRequest) -> (bytes: [UInt8], type: String?) {
        guard !request.parts.isEmpty, let form = MultipartBody(request.parts) else { return (request.body, nil) }
        return (form.bytes, form.contentType)
    }

    private func answer(_ call: EngineCall, _ widget: EngineWidget, _ now: Double) throws(SettingFault) {
        guard let number = call.integer("number") else { throw SettingFault("no request is named") }
        let outcome: RequestOutcome
        if let status = call.integer("status") {
            let read = RequestOutcome.answer(status: status, call.bytes("body") ?? [])
            if let seconds = call.integer("retry"), seconds > 0 {
                let body = if case .response(_, let body) = read { body } else { Value.null }
                outcome = .postponed(status: status, body: body, seconds: seconds)
            } else {
                outcome = read
            }
        } else if call.truth("sent") {
            outcome = .unanswered(call.text("failure") ?? "no answer came")
        } else {
            outcome = .failure(call.text("failure") ?? "no answer came")
        }
        widget.answer(number, outcome, at: now)
    }

    private func cacheChanges(of widget: EngineWidget) -> EngineAnswer {
        let changes = widget.takeCacheChanges()
        return EngineAnswer { writer in
            writer.key("changes")
            writer.array { writer in
                for change in changes {
                    writer.object { writer in
                        writer.member("key", change.key)
                        guard let value = change.value else { return }
                        writer.key("value")
                        RecordText.write(value.value, to: &writer)
                        writer.member("stored", value.storedAt)
                        if let moment = value.expires { writer.member("expires", moment) }
                        if let moment = value.upstream { writer.member("upstream", moment) }
                    }
                }
            }
        }
    }

    private static func changes(_ call: EngineCall) -> [CacheChange] {
        (call.json.object?["changes"]?.array ?? []).compactMap { entry in
            guard let object = entry.object, let key = object["key"]?.string else { return nil }
            guard let value = object["value"] else { return CacheChange(key, nil) }
            return CacheChange(
                key,
                CachedValue(
                    RecordText.value(value), storedAt: object["stored"]?.double ?? 0,
                    expires: object["expires"]?.double, upstream: object["upstream"]?.double))
        }
    }

    private func wishes(of widget: EngineWidget) -> EngineAnswer {
        let wishes = widget.takeHostRequests()
        return EngineAnswer { writer in
            writer.key("wishes")
            writer.array { writer in
                for wish in wishes {
                    writer.object { writer in
                        switch wish {
                        case .open(let address): writer.member("open", address)
                        case .native(let call, let argument):
                            writer.key("call")
                            writer.object { writer in
                                switch call {
                                case .pickMedia: writer.member("name", "pick")
                                case .message(let target, let selector):
                                    writer.member("name", "message")
                                    writer.member("target", target)
                                    writer.member("selector", selector)
                                case .scroll(let list, let toEnd):
                                    writer.member("name", "scroll")
                                    writer.member("list", list)
                                    writer.member("end", toEnd)
                                }
                                writer.key("argument")
                                RecordText.write(argument, to: &writer)
                            }
                        }
                    }
                }
            }
        }
    }

    private func snapshot(of widget: EngineWidget, _ call: EngineCall) -> EngineAnswer {
        var view = widget.view
        view.data = widget.status
        let form = PrintedForm(rawValue: call.text("as") ?? "json") ?? .json
        guard let program else { return EngineAnswer() }
        let printed = form.print(view, of: program, options, NoAssets())
        let explained = call.truth("explain") ? Array(ExplainedView(view, of: widget.instance) { $0 }.text.utf8) : []
        return EngineAnswer([printed, explained])
    }
}
