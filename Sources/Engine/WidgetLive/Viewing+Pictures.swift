internal import WidgetCore
internal import WidgetHosting
internal import WidgetRender
internal import WidgetRunning
internal import WidgetSurroundings

/// The pictures of the network on a page: its widget's network fetches them, and each is shown once it has come.
extension Viewing {
    /// A view with its pictures as they have come so far. What it shows for the first time begins to be fetched.
    func pictured(_ view: View) -> View {
        guard widget.fetchesPictures, ending == nil else { return view }
        var view = view
        let options = printer(for: history.lastNumber).options
        // A list that has become a long one shows more rows than usual.
        let rows = windows.merging(history.last?.page.windows ?? [:]) { max($0, $1) }
        view.pictures = pictures.follow(view, options, windows: rows) { fetch($0) }
        return view
    }

    /// Fetches again what has failed, for a page that is loaded again.
    func retryPictures() { pictures.retry { fetch($0) } }

    /// A picture of the page that was dropped since it came, because many others came: it is fetched again.
    package func file(_ name: String) async -> [UInt8]? {
        guard let address = pictures.address(of: name) else { return nil }
        if take(await widget.picture(at: address), at: address) { await widget.ring() }
        return files[name]
    }

    private func fetch(_ address: String) -> Task<Void, Never> {
        LiveThreads.begin { [weak self, widget] in
            let picture = await widget.picture(at: address)
            guard !Task.isCancelled, await self?.take(picture, at: address) ?? false else { return }
            // A page that is asked for its changes learns of this one as of any other.
            await widget.ring()
        }
    }

    /// - Returns: false if the page looks as before.
    private func take(_ picture: FetchedPicture, at address: String) -> Bool {
        guard ending == nil else { return false }
        let (file, isChange) = pictures.take(picture, at: address)
        if let file { files.add([file.name: file.bytes]) }
        if pictures.isSettled { pictureWaits.end(with: true) }
        return isChange
    }

    /// Begins to fetch what the first page shows, and waits for it.
    func waitForPictures(until end: ContinuousClock.Instant) async {
        guard widget.fetchesPictures, ending == nil else { return }
        _ = pictured(await widget.snapshot().view)
        guard ending == nil, !pictures.isSettled, clock.now < end else { return }
        let number = pictureWaits.number()
        let alarm = clock.call(at: end) { [weak self] in
            LiveThreads.begin { [weak self] in await self?.endPictureWait(number) }
        }
        defer { alarm.cancel() }
        _ = await withCheckedContinuation { pictureWaits.add(number, $0) }
    }

    private func endPictureWait(_ number: Int) { pictureWaits.end(number, with: false) }
}
