internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page of a bundle: its latest release, what hosts get of it, and its history.
struct BundlePage: Sendable {
    /// The releases that the history lists at once.
    static let length = 20

    let entry: CatalogueEntry
    /// The latest release; `nil` when all are withdrawn.
    let latest: ReleaseView?
    let history: Page<Release>
    let after: String?
    let choice: DeviceChoice
    let address: String

    private var bundle: BundleSummary { entry.bundle }
    private var path: String { PagePath.bundle(bundle.identifier) }

    func bytes() -> [UInt8] {
        var options = RunOnPage.options(latest)
        options.feed = ("\(path)/feed.atom", "Releases of \(bundle.name)")
        var html = GalleryFrame.begin(bundle.name, .bundles, options)
        head(to: &html)
        if latest == nil {
            html.box(class: "note warn") { html in
                html.paragraph("All releases of this bundle are withdrawn or have expired. Hosts get nothing.")
            }
        }
        html.box(class: "split") { html in
            html.box(class: "stack") { html in device(to: &html) }
            html.box(class: "stack-wide") { html in
                channels(to: &html)
                if let latest { facts(latest, to: &html) }
                if let latest { lines(latest, to: &html) }
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
        guard let latest else { return }
        html.element(.div) {
            $0.set(.id, "live")
            $0.set(.class, "stack")
        } content: { html in
            html.device(latest, latest.still(for: choice), "First screen of \(bundle.name)", choice)
        }
        if latest.hasScreens, latest.obstacles.isEmpty {
            DeviceControls(page: path, choice: choice, languages: DeviceControls.languages(of: latest.report))
                .write(to: &html)
        }
        html.element(.p) {
            $0.set(.class, "small soft")
        } content: { html in
            html.text("Release ")
            html.link(PagePath.release(bundle.identifier, latest.release.key), latest.release.key)
            if latest.stills.count > 1 {
                html.text(", ")
                html.link(
                    "\(PagePath.release(bundle.identifier, latest.release.key))#screens",
                    "\(latest.stills.count) screens")
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

    private func facts(_ latest: ReleaseView, to html: inout HTMLWriter) {
        let release = latest.release
        html.section("Latest release", id: "latest") { html in
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
                html.download(latest)
                html.needs(latest)
                html.fact("Report") { html in
                    html.reportLine(latest.report)
                    html.text(" ")
                    html.link("\(PagePath.release(bundle.identifier, release.key))#findings", "The whole report")
                }
            }
        }
    }

    private func lines(_ latest: ReleaseView, to html: inout HTMLWriter) {
        let channel = bundle.channels.first { $0.name == ChannelName.standard } ?? bundle.channels.first
        let isStandard = channel == nil || channel?.name == ChannelName.standard
        let widget = "\(bundle.identifier)-1"
        let query = isStandard ? "" : "?channel=\(channel?.name ?? "")"
        let option = isStandard ? "" : " --channel \(channel?.name ?? "")"
        html.section("Use it", id: "use") { html in
            html.copyLine(
                "Download with curl", "curl -LOJ '\(address)\(RegistryPath.widget(widget))/bundle\(query)'")
            html.copyLine("Run it in a terminal", "widget run \(widget) --server \(address)\(option)")
            html.copyLine("Fetch as a host does", "widget fetch \(widget) --server \(address)\(option) -o Widgets")
            html.copyLine(
                "Show it in an app in Swift",
                """
                let host = WidgetFetcher(registry: try RegistryAddress("\(address)"), cache: try WidgetCache(at: place))
                let update = await host.update(try WidgetIdentifier("\(widget)"))
                """)
        }
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
