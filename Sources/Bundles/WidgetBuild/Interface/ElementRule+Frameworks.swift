/// Effects, and views and controllers of frameworks beside UIKit. Hosts show the subviews of those that they do not know.
extension ElementRule {
    static let frameworks: [String: ElementRule] = [
        "visualEffectView": ElementRule(
            className: "UIVisualEffectView", base: "view", objects: ["contentView": "UIVisualEffectViewContentView"]),
        "window": ElementRule(
            className: "UIWindow", base: "view",
            attributes: [
                "visibleAtLaunch": .editor, "resizesToFullScreen": .truth("UIResizesToFullScreen", default: false),
            ]
        ),
        "refreshControl": ElementRule(
            className: "UIRefreshControl", base: "control", attributedTexts: ["attributedTitle": "UIAttributedTitle"]),
        "colorWell": ElementRule(
            className: "UIColorWell", base: "control", colors: ["selectedColor": "UISelectedColor"]),
        "inputView": ElementRule(className: "UIInputView", base: "view"),
        "glkView": ElementRule(className: "GLKView", base: "view"),
        "mtkView": ElementRule(className: "MTKView", base: "view"),
        "sceneKitView": ElementRule(className: "SCNView", base: "view"),
        "skView": ElementRule(className: "SKView", base: "view"),
        "arscnView": ElementRule(className: "ARSCNView", base: "view"),
        "arskView": ElementRule(className: "ARSKView", base: "view"),
        "arView": ElementRule(className: "ARView", base: "view"),
        "pdfView": ElementRule(className: "PDFView", base: "view"),
        "adBannerView": ElementRule(className: "ADBannerView", base: "view"),
        "searchDisplayController": ElementRule(className: "UISearchDisplayController", attributes: common),
        "glkViewController": ElementRule(className: "GLKViewController", base: "viewController"),
        "avPlayerViewController": ElementRule(
            className: "AVPlayerViewController", base: "viewController",
            attributes: [
                "showsPlaybackControls": .truth("showsPlaybackControls", default: true),
                "videoGravity": .text("videoGravity"),
            ]),
        "hostingController": ElementRule(className: "UIHostingController", base: "viewController"),
        "inputViewController": ElementRule(className: "UIInputViewController", base: "viewController"),
        "imagePickerController": ElementRule(
            className: "UIImagePickerController", base: "viewController"),
        "pageViewController": ElementRule(
            className: "UIPageViewController", base: "viewController",
            attributes: [
                "transitionStyle": .choice("UIPageViewControllerTransitionStyle", ["pageCurl": 0, "scroll": 1]),
                "navigationOrientation": .choiceExcept(
                    "UIPageViewControllerNavigationOrientation", ["horizontal": 0, "vertical": 1], 0),
                "pageSpacing": .float("UIPageViewControllerPageSpacing"),
                "doubleSided": .truth("UIPageViewControllerDoubleSided", default: false),
                "spineLocation": .choice(
                    "UIPageViewControllerSpineLocation", ["none": 0, "min": 1, "mid": 2, "max": 3]),
            ]),
    ]
}
