internal import WidgetBytes
package import WidgetCore
package import WidgetHosting
package import WidgetRender
internal import WidgetRunning
package import WidgetSurroundings

/// The pictures of the network that a page shows, as they have come so far, within the bounds of a page. Their bytes
/// are kept with the files of all pages.
package struct NetworkPictures {
    private struct Entry {
        var picture = NetworkPicture.awaited
        var byteCount = 0
        var pixelCount = 0
        var fetch: Task<Void, Never>?
    }

    private let limits: LiveLimits
    private var entries: [String: Entry] = [:]
    /// The addresses of the view that was looked at last, which is often looked at again.
    private var known: (root: ViewNode, windows: [ViewKey: Int], addresses: [String])?

    package init(_ limits: LiveLimits = LiveLimits()) { self.limits = limits }

    /// The addresses of pictures on a page, in their order, each once.
    ///
    /// - Parameter windows: the rows that long lists show, if not as many as usual.
    package static func addresses(
        on view: View, _ options: PageOptions, windows: [ViewKey: Int] = [:], atMost limit: Int
    ) -> [String] {
        let walk = ControlWalk(windows: windows, rowLimit: options.rowLimit, rowCount: options.shownRowCount)
        var addresses: [String] = []
        var found: Set<String> = []
        walk.visit(view) { node in
            guard node.kind == .image || node.kind == .button, let address = ShownPicture(node)?.address,
                found.insert(address).inserted
            else { return true }
            addresses.append(address)
            return addresses.count < limit
        }
        return addresses
    }

    /// Fetches what a view shows and what has not been asked for, and ends what it shows no longer.
    ///
    /// - Parameter begin: begins to fetch the picture of an address.
    /// - Returns: the pictures of the view, as they have come so far.
    mutating func follow(
        _ view: View, _ options: PageOptions, windows: [ViewKey: Int], _ begin: (String) -> Task<Void, Never>
    ) -> [String: NetworkPicture] {
        if known.map({ $0.root !== view.root || $0.windows != windows }) ?? true {
            let addresses = NetworkPictures.addresses(on: view, options, windows: windows, atMost: limits.pictureCount)
            known = (view.root, windows, addresses)
            let wanted = Set(addresses)
            for (address, entry) in entries where !wanted.contains(address) {
                entry.fetch?.cancel()
                entries[address] = nil
            }
            for address in addresses where entries[address] == nil { entries[address] = Entry(fetch: begin(address)) }
        }
        return shown
    }

    /// Fetches again what has failed, which is shown as failed meanwhile.
    mutating func retry(_ begin: (String) -> Task<Void, Never>) {
        for (address, entry) in entries where entry.fetch == nil {
            if case .failed = entry.picture { entries[address]?.fetch = begin(address) }
        }
    }

    /// Takes what has come for an address.
    ///
    /// - Returns: the file to be kept, if it can be shown; and false if the page looks as before.
    mutating func take(
        _ fetched: FetchedPicture, at address: String
    ) -> (file: (name: String, bytes: [UInt8])?, isChange: Bool) {
        guard let before = entries.removeValue(forKey: address)?.picture else { return (nil, false) }
        var (entry, kept) = (Entry(), (name: String, bytes: [UInt8])?.none)
        switch fetched {
        case .failed(let reason): entry.picture = .failed(reason)
        case .file(let file):
            (entry.byteCount, entry.pixelCount) = (file.bytes.count, file.width * file.height)
            if let excess = excess(with: entry) {
                entry = Entry(picture: .failed(excess))
            } else {
                let name = PageFiles.picture(file.bytes, file.kind.rawValue)
                entry.picture = .file(name: name, width: file.width, height: file.height)
                kept = (name, file.bytes)
            }
        }
        entries[address] = entry
        return (kept, entry.picture != before)
    }

    /// The bound that the pictures reach with one more; `nil` if there is room for it.
    private func excess(with one: Entry) -> String? {
        if entries.values.reduce(one.byteCount, { $0 + $1.byteCount }) > limits.pictureByteCount {
            return "the page's pictures have more than \(ByteCountText.of(limits.pictureByteCount))"
        }
        if entries.values.reduce(one.pixelCount, { $0 + $1.pixelCount }) > limits.picturePixelCount {
            return "the page's pictures have more than \(limits.picturePixelCount) pixels"
        }
        return nil
    }

    /// True if nothing is awaited.
    var isSettled: Bool { !entries.values.contains { $0.picture == .awaited } }

    var shown: [String: NetworkPicture] { entries.mapValues { $0.picture } }

    /// The names of the files of the pictures that have come.
    var names: [String] {
        entries.values.compactMap { if case .file(let name, _, _) = $0.picture { name } else { nil } }
    }

    /// The address of the picture whose file has a name.
    func address(of file: String) -> String? {
        entries.first { if case .file(file, _, _) = $0.value.picture { true } else { false } }?.key
    }

    /// Ends what is under way.
    mutating func end() {
        for entry in entries.values { entry.fetch?.cancel() }
        (entries, known) = ([:], nil)
    }
}

extension NetworkPictures {
    /// The pictures of pages that are written once, and wait for them.
    ///
    /// - Parameters:
    ///   - views: the screens of the pages.
    ///   - seconds: the time for all pictures together.
    /// - Returns: what the screens show, and the bytes of the files.
    package static func fetched(
        for views: [View], _ options: PageOptions, _ limits: LiveLimits = LiveLimits(), from network: any WidgetNetwork,
        within seconds: Double, on clock: any Clock
    ) async -> (shown: [String: NetworkPicture], files: [String: [UInt8]]) {
        var (pictures, files) = (NetworkPictures(limits), [String: [UInt8]]())
        guard network.fetchesPictures else { return ([:], [:]) }
        for address in views.flatMap({ addresses(on: $0, options, atMost: limits.pictureCount) })
        where pictures.entries.count < limits.pictureCount { pictures.entries[address] = Entry() }
        let wanted = pictures.entries.keys.sorted()
        await withTaskGroup(of: (address: String, picture: FetchedPicture)?.self) { group in
            for address in wanted { group.addTask { (address, await network.picture(at: address)) } }
            group.addTask {
                await clock.sleep(for: seconds)
                return nil
            }
            while !pictures.isSettled, let next = await group.next() {
                // Those that came in time are shown, without the others.
                guard let next else { break }
                if let file = pictures.take(next.picture, at: next.address).file { files[file.name] = file.bytes }
            }
            group.cancelAll()
        }
        for address in wanted where pictures.entries[address]?.picture == .awaited {
            _ = pictures.take(.failed("it has not come within \(Int(seconds)) seconds"), at: address)
        }
        return (pictures.shown, files)
    }
}
