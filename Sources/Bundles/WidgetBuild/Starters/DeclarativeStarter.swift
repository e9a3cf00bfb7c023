/// A list that is narrowed by typing, and a screen for each row, as a package of Swift whose screens become documents.
extension Starter {
    /// The word before a module, which begins no line here: this file imports nothing.
    private static let use = "import"

    /// The place of the package that has the module `Widgets`.
    package enum Library: Equatable, Sendable {
        /// The whole path of a folder.
        case folder(String)
        /// An address for git.
        case address(String)

        /// The dependency in a manifest, and the name by which targets call it.
        fileprivate var dependency: (text: String, name: String) {
            switch self {
            case .folder(let path): (".package(name: \"widgetd\", path: \(Library.literal(path)))", "\"widgetd\"")
            case .address(let address):
                (
                    ".package(url: \(Library.literal(address)), branch: \"main\")",
                    Library.literal(Library.name(of: address))
                )
            }
        }

        /// The name of a package by its address: the last part of its path.
        private static func name(of address: String) -> String {
            let last = address.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? address
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }

        /// A text as a literal of Swift.
        private static func literal(_ text: String) -> String {
            "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
    }

    /// The names that a package's target cannot have: those of modules that it is built with.
    static let takenNames: Set<String> = [
        "WidgetBytes", "CWidgetCrypto", "Foundation", "FoundationEssentials", "Glibc", "JSONText", "WidgetPredicates",
        "Swift",
        "WidgetSystemCalls", "WidgetContract", "Widgets",
    ]

    static func declarativeTexts(_ name: String, _ library: Library) -> [(path: String, text: String)] {
        let dependency = library.dependency
        return [
            (
                "Package.swift",
                """
                // swift-tools-version: 6.2
                \(use) PackageDescription

                let package = Package(
                    name: "\(name)",
                    dependencies: [\(dependency.text)],
                    targets: [
                        .executableTarget(
                            name: "\(name)", dependencies: [.product(name: "Widgets", package: \(dependency.name))])
                    ]
                )

                """
            ),
            (
                "Sources/\(name)/App.swift",
                """
                \(use) Widgets

                @main struct App: WidgetApp {
                    var first: any Widget { PlacesScreen() }
                }

                """
            ),
            ("Sources/\(name)/PlacesScreen.swift", placesScreen),
            ("Sources/\(name)/PlaceScreen.swift", placeScreen),
            ("story.json", declarativeStory),
        ]
    }

    private static let placesScreen = """
        \(use) Widgets

        struct Place: Codable, Sendable, Identifiable {
            var id: Int
            var name: String
            var region: String
            var about: String
        }

        struct PlacesScreen: WidgetView {
            @State var typed = ""
            @State var places = [
                Place(id: 1, name: "Harbour", region: "West coast", about: "Boats come in with the tide."),
                Place(id: 2, name: "Mill", region: "North", about: "It grinds on windy days alone."),
                Place(id: 3, name: "Lighthouse", region: "West coast", about: "207 steps, and one lamp."),
            ]

            // `$typed` in place of `typed`: the widget is data, which changes by itself and can be exported.
            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    TextFieldWidget($typed).placeholder("Name or region").id("filter")
                    TableWidget {
                        ForEach($places, key: \\.id) { place in
                            When($typed.isEmpty || place.name.contains($typed) || place.region.contains($typed)) {
                                TableCellWidget("\\(place.name)", subtitle: "\\(place.region)")
                                    .accessoryType(.disclosureIndicator)
                                    .onSelect(.push(with: place) { PlaceScreen(place: $0) })
                            }
                        }
                    }
                    .id("places")
                }
                .navigationBar(title: "Places")
            }
        }

        """

    private static let placeScreen = """
        \(use) Widgets

        struct PlaceScreen: WidgetView {
            let place: Reading<Place>
            @State var visits = 0

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget(place.about).font(.title3)
                    Fact(name: "Region", value: "\\(place.region)")
                    Fact(name: "Visits", value: "\\($visits)")
                    ButtonWidget("I was here").role(.prominent).onTap(.set($visits, to: $visits + 1)).id("visit")
                    When($visits > 0) {
                        LabelWidget("Thank you for coming to the \\(place.name).").color(.quiet)
                    }
                }
                .navigationBar(title: "\\(place.name)")
            }
        }

        /// A name and its value in one line.
        struct Fact: WidgetView {
            let name: String
            let value: TextValue

            func widget(_ context: WidgetContext) -> any Widget {
                HStackWidget {
                    LabelWidget(name).color(.quiet)
                    SpacerWidget()
                    LabelWidget(value)
                }
            }
        }

        """

    private static let declarativeStory = """
        [
            { "expect": "Harbour" },
            { "input": "filter", "value": "west" },
            { "expectNot": "Mill" },
            { "select": "places", "row": 1 },
            { "expect": "207 steps, and one lamp." },
            { "tap": "visit" },
            { "expect": "Thank you for coming to the Lighthouse." },
            { "back": true },
            { "expect": "Harbour" }
        ]

        """

    static func declarativeReadme(_ name: String) -> String {
        """
        # \(name)

        This is \(Kind.declarative.summary).

            widget run \(name)                                     # builds it, and again each time that a file is saved
            widget render \(name) --events \(name)/story.json      # plays the story, and prints the last view
            widget export \(name) -o \(name).zip                   # the archive, which needs no program
            widget publish \(name).zip                             # to a registry

        * `Package.swift`: where the module `Widgets` comes from, and what is built
        * `Sources/\(name)/App.swift`: the program, with its first screen
        * `Sources/\(name)/PlacesScreen.swift`: the first screen, and its data
        * `Sources/\(name)/PlaceScreen.swift`: a screen that it leads to
        * `story.json`: a script that shows whether it works; it is not part of the bundle
        * `Bundle/Info.plist`: identifier, name and version; pictures and services lie beside it

        """
    }
}
