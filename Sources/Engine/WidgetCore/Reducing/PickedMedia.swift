internal import WidgetContract
internal import WidgetPredicates

/// Pictures and films that a person picks for a form.
extension Reducer {
    mutating func pick(_ key: ViewKey, _ media: Media) {
        guard let (node, frame) = frame(of: key), let scene = scene(frame.screen) else { return }
        guard environment.abilities.contains(.media) else {
            refusal = "the host lets people pick no pictures or films"
            return
        }
        let forms = (node.pickerForms.isEmpty ? [key.node] : node.pickerForms)
            .filter { scene.node($0)?.form?.media?.container != nil }
        guard !forms.isEmpty else {
            refusal = "nothing can be picked here"
            return
        }
        guard let form = forms.first(where: { !hasMedia($0, scene, frame.screen) }) else {
            refusal = "every place for a picture is taken"
            return
        }
        note(.event, "picked \(media.fileName): \(media.bytes.count) bytes")
        attach(media, to: form, scene, frame)
    }

    private func hasMedia(_ form: NodeID, _ scene: Scene, _ number: Int) -> Bool {
        guard let container = scene.node(form)?.form?.media?.container, let place = store.place(ofScreen: number) else {
            return false
        }
        return store.screens[place].slots[SlotKey(container, .value)].map { !$0.isNull } ?? false
    }

    private mutating func attach(_ media: Media, to id: NodeID, _ scene: Scene, _ frame: StepFrame) {
        guard let form = scene.node(id)?.form?.media, let container = form.container else { return }
        let value = media.value(compression: scene.node(container)?[.compression]?.literal?.number)
        set(frame.screen) { screen in
            screen.slots[SlotKey(container, .value)] = value
            screen.slots[SlotKey(id, .hidden)] = .boolean(false)
            screen.slots[SlotKey(id, .uploadResult)] = nil
            if let progress = form.progress { screen.slots[SlotKey(progress, .value)] = .double(0) }
            if let preview = scene.node(container)?.preview {
                screen.slots[SlotKey(preview, .image)] = .string(media.fileName)
            }
        }
        if form.uploadsItself { upload(id, frame) }
    }

    /// Performs a form's action, with the form itself as the sender.
    private mutating func upload(_ id: NodeID, _ frame: StepFrame) {
        guard let action = scene(frame.screen)?.node(id)?.form?.media?.action else { return }
        guard let value = formValue(id, frame) else { return }
        var run = frame
        (run.argument, run.uploader) = (value, id)
        pending.append(.action(action, run))
    }

    /// Notifies a form of the progress of its upload.
    mutating func deliver(_ signal: Signal, toForm id: NodeID, _ number: Int) {
        guard let form = scene(number)?.node(id)?.form?.media else { return }
        set(number) { screen in
            switch signal.phase {
            case .start, .error: if let bar = form.progress { screen.slots[SlotKey(bar, .value)] = .double(0) }
            case .progress:
                if let bar = form.progress { screen.slots[SlotKey(bar, .value)] = .double(signal.progress ?? 0) }
            case .ready:
                if let bar = form.progress { screen.slots[SlotKey(bar, .value)] = .double(1) }
                screen.slots[SlotKey(id, .uploadResult)] = signal.answer
            case .success: break
            }
        }
    }

    mutating func detach(_ id: NodeID, _ frame: StepFrame) {
        guard let scene = scene(frame.screen), let form = scene.node(id)?.form?.media else { return }
        let sender = SenderKey(screen: frame.screen, node: id)
        for request in store.requests where request.sender == sender {
            effects.append(.cancel(number: request.number))
            store.timers.removeAll { timer in
                if case .response(request.number, _) = timer.purpose { true } else { false }
            }
        }
        store.requests.removeAll { $0.sender == sender }
        set(frame.screen) { screen in
            for node in [form.container, id].compactMap({ $0 }) {
                screen.slots[SlotKey(node, .value)] = nil
                screen.slots[SlotKey(node, .uploadResult)] = nil
            }
            if let preview = form.container.flatMap({ scene.node($0)?.preview }) {
                screen.slots[SlotKey(preview, .image)] = nil
            }
            screen.slots[SlotKey(id, .hidden)] = .boolean(true)
        }
        push(.appearing, screen: frame.screen)
    }
}

extension Media {
    /// The name of a picture's compression in its value.
    static let compressionKey = "imageCompression"

    /// A picture is its bytes, with the quality that it is to be compressed with. A film has a name and a type besides,
    /// as a file has.
    fileprivate func value(compression: Double?) -> Value {
        guard isFilm else {
            guard let compression else { return .data(bytes) }
            return .dictionary(
                PredicateDictionary([("data", .data(bytes)), (Media.compressionKey, .double(compression))]))
        }
        return .dictionary(
            PredicateDictionary([
                ("data", .data(bytes)), ("fileName", .string(fileName)), ("contentType", .string(contentType)),
            ]))
    }
}
