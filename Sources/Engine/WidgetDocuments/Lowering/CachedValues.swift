internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// The cache in documents: keys that a scene declares, the name `cache` in expressions, and the actions that change it.
extension SceneMaker {
    /// The step of the action `cache` or `uncache`.
    mutating func cacheStep(_ members: CheckedMembers, _ words: Lexicon) throws(ElementFault) -> Step {
        let key = members.text("key") ?? ""
        guard words.cached.contains(key) else {
            let known = words.cached.sorted()
            let fault = "The document declares no cached value \(key.excerpt)"
            let hint =
                NearestName.of(key, in: known).map { "did you mean \($0)?" }
                ?? (known.isEmpty
                    ? #"write "cache": {"\#(key.excerpt)": null} at the top of the document"#
                    : "there are \(NameList(known))")
            throw members["key"]?.fault(.unknownKey, fault, hint: hint)
                ?? ElementFault(Finding(.error, .unknownKey, fault, hint: hint))
        }
        return .cache(
            CacheStep(
                key, value: try members.expression("to", words, &self),
                seconds: try members.expression("for", words, &self),
                upstream: try members.expression("at", words, &self), at: members["key"]?.place))
    }

    /// Adds the keys of a hosted document. They are those of the widget: hosted twice, they are the same values.
    mutating func declareCache(of scene: SceneParts, _ inner: inout Lexicon) throws(ElementFault) {
        for (key, initial) in scene.cache?.members ?? [] {
            try spendSetting(initial)
            if cached[key] == nil {
                guard cached.count < limits.cachedKeyCount else {
                    throw initial.fault(.countBudget, "The screen has more than \(limits.cachedKeyCount) cached values")
                }
                cached[key] = Value(initial.json)
            }
            inner.addCached(key)
        }
    }
}

extension Lexicon {
    mutating func addCached(_ key: String) {
        cached.insert(key)
        names.insert("cache")
    }

    /// The warning about a key path that reads a key of the cache which the document does not declare.
    func undeclaredKey(in path: String, at place: Place) -> Finding? {
        let key = path.dropFirst("cache.".count).prefix { $0 != "." }
        guard names.contains("cache"), !key.isEmpty, !cached.isEmpty, !cached.contains(String(key)) else { return nil }
        return Finding(
            .warning, .unknownKey, "The document declares no cached value \(String(key).excerpt)", at: place,
            value: String(key).excerpt, nearest: NearestName.of(String(key), in: cached.sorted()),
            hint: "there are \(NameList(cached.sorted()))")
    }
}
