internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page of a bundle: the release that hosts get, its channels, and its history.
struct BundlePage: Sendable {
    /// The releases that the history lists at once.
    static let length = 20

    let entry: CatalogueEntry
    /// The release that the catalogue shows (``CatalogueEntry``); `nil` when all are withdrawn.
    let shown: ReleaseView?
    let history: Page<Release>
    let after: String?
    let choice: DeviceChoice
    let address: String

    private var bundle: BundleSummary { entry.bundle }
    private var path: String { PagePath.bundle(bundle.identifier) }

    func bytes() -> [UInt8] {
        var options = RunOnPage.options(shown)
        options.feed = ("\(path)/feed.atom", "Releases of \(bundle.name)")
        var html = GalleryFrame.begin(bundle.name, .bundles, options)
        head(to: &html)
        if shown == nil {
            html.box(class: "note warn") { html in
                html.paragraph("All releases of this bundle are withdrawn or have expired. Hosts get nothing.")
            }
        }
        html.box(class: "split") { html in
            html.box(class: "stack") { html in device(to: &html) }
            html.box(class: "stack-wide") { html in
                channels(to: &html)
                if let shown { facts(shown, to: &html) }
                if shown != nil { lines(to: &html) }
                releases(to: &html)
            }
        }
        return GalleryFrame.end(&html)
    }

    private func head(to html: inout HTMLWriter) {
        html.box(class: "stack") { html in
            html.crumbs([("/", "Bundles")], here: bundle.identifier)
            html.bundleTitle(entry, to: PagePath.manage(bundle.identifier), "Manage")
        }
    }

    private func device(to html: inout HTMLWriter) {
        guard let shown else { return }
        html.element(.div) {
            $0.set(.id, "live")
            $0.set(.class, "stack")
        } content: { html in
            html.device(shown, shown.still(for: choice), "First screen of \(bundle.name)", choice)
        }
        if shown.hasScreens, shown.obstacles.isEmpty {
            DeviceControls(page: path, choice: choice, languages: DeviceControls.languages(of: shown.report))
                .write(to: &html)
        }
        html.element(.p) {
            $0.set(.class, "small soft")
        } content: { html in
            html.text("Release ")
            html.link(PagePath.release(bundle.identifier, shown.release.key), shown.release.key)
            if shown.stills.count > 1 {
                html.text(", ")
                html.link(
                    "\(PagePath.release(bundle.identifier, shown.release.key))#screens",
                    "\(shown.stills.count) screens")
            }
        }
    }

    // MARK: Channels

    private func channels(to html: inout HTMLWriter) {
        html.section("Channels", id: "channels") { html in
            guard !bundle.channels.isEmpty else {
                html.paragraph("No channel shows a release of this bundle.", class: "soft")
                return
            }
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.tableHead(["Channel", "Shows", "Share", "Changed"])
                    html.element(.tbody) { html in
                        for channel in bundle.channels { row(channel, to: &html) }
                    }
                }
            }
        }
    }

    private func row(_ channel: Channel, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, text: channel.name) { $0.set(.scope, "row") }
            html.element(.td) { html in
                html.link(PagePath.release(bundle.identifier, channel.release), channel.release)
                if channel.isMandatory { html.chip("mandatory", "warn") }
            }
            html.element(.td) { html in
                let share = GalleryText.percent(channel.rollout)
                if channel.rollout < Rollout.bucketCount {
                    html.element(.progress, text: share) {
                        $0.set(.class, "bar-share")
                        $0.set(.max, "\(Rollout.bucketCount)")
                        $0.set(.value, "\(channel.rollout)")
                        $0.set(.label, "Share of hosts that get \(channel.release)")
                    }
                    html.text("\(share), \(channel.base.map { "\($0) to the others" } ?? "nothing to the others")")
                } else {
                    html.text("all hosts")
                }
            }
            html.element(.td) { $0.time(channel.changedAt) }
        }
    }

    // MARK: Facts

    private func facts(_ shown: ReleaseView, to html: inout HTMLWriter) {
        let release = shown.release
        let isStandard = bundle.standardChannel?.release == release.key
        html.section(isStandard ? "Release on \(ChannelName.standard)" : "Latest release", id: "shown") { html in
            html.element(.dl) {
                $0.set(.class, "facts")
            } content: { html in
                html.fact("Release") { html in
                    html.link(PagePath.release(bundle.identifier, release.key), release.key)
                    html.text(", published ")
                    html.time(release.published)
                    html.text(" by \(release.publishedBy)")
                }
                if let note = release.remarks.note { html.fact("Note") { $0.text(note) } }
                html.download(shown)
                html.needs(shown)
                html.fact("Report") { html in
                    html.reportLine(shown.report)
                    html.text(" ")
                    html.link("\(PagePath.release(bundle.identifier, release.key))#findings", "The whole report")
                }
            }
        }
    }

    private func lines(to html: inout HTMLWriter) {
        let channel = bundle.standardChannel ?? bundle.channels.first
        let isStandard = channel == nil || channel?.name == ChannelName.standard
        let widget = "\(bundle.identifier)-1"
        let query = isStandard ? "" : "?channel=\(channel?.name ?? "")"
        let option = isStandard ? "" : " --channel \(channel?.name ?? "")"
        html.section("Use it", id: "use") { html in
            html.copyLine(
                "Download with curl", "curl -LOJ '\(address)\(RegistryPath.widget(widget))/bundle\(query)'")
            html.copyLine("Run it in a terminal", "widget run \(widget) --server \(address)\(option)")
            html.copyLine("Fetch as a host does", "widget fetch \(widget) --server \(address)\(option) -o Widgets")
            html.copyLine("Show it in an app in Swift", listing(widget, on: isStandard ? nil : channel?.name))
        }
    }

    /// A listing of docs/hosting.md, whose listings are compiled.
    private func listing(_ widget: String, on channel: String?) -> String {
        let options = channel.map { "var options = ClientOptions()\noptions.channel = \"\($0)\"\n" } ?? ""
        return """
            import WidgetRegistryClient
            import WidgetRuntime

            \(options)let client = try WidgetClient(registry: "\(address)", cache: "cache"\(channel == nil ? "" : ", options: options"))
            let widget = try WidgetID("\(widget)")
            if case .failed(let error, _) = await client.update(widget) { print("not updated: \\(error)") }
            let release = try await client.start(widget)
            let session = try await WidgetSession(release)
            try await release.confirm()
            print(await session.screen().text())
            """
    }

    // MARK: History

    private func releases(to html: inout HTMLWriter) {
        html.section("Releases", id: "releases") { html in
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.element(
                        .caption, text: "Newest first, \(GalleryText.count(bundle.releaseCount, "release")) in all")
                    html.tableHead(["Release", "Published", "Size", "What"])
                    html.element(.tbody) { html in
                        for (place, release) in history.items.enumerated() {
                            let before = history.items.dropFirst(place + 1).first { !$0.isGone }
                            row(release, before: before, to: &html)
                        }
                    }
                }
            }
            if let next = history.next {
                html.element(.p) {
                    $0.link(
                        "\(path)\(choice.query.isEmpty ? "?" : "\(choice.query)&")cursor=\(PageParameters.cursor(next))#releases",
                        "Older releases",
                        class: "button quiet")
                }
            }
            if after != nil { html.element(.p) { $0.link("\(path)\(choice.query)#releases", "Newest releases") } }
            html.element(.p) {
                $0.set(.class, "small")
            } content: {
                $0.link("\(path)/feed.atom", "Follow the releases (Atom)")
            }
        }
    }

    private func row(_ release: Release, before: Release?, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.releaseHead(release)
            html.element(.td) { html in
                html.time(release.published)
                html.element(.span, text: " by \(release.publishedBy)") { $0.set(.class, "soft") }
            }
            html.element(.td, text: ByteCountText.of(release.byteCount)) { $0.set(.class, "number line") }
            html.element(.td) { html in
                html.releaseChips(release)
                if let note = release.remarks.note { html.paragraph(note, class: "small") }
                if !release.isGone, let before {
                    html.element(.p) {
                        $0.set(.class, "small")
                    } content: { html in
                        html.link(
                            PagePath.compare(bundle.identifier, before.key, release.key), "Compare with \(before.key)")
                    }
                }
            }
        }
    }
}
