internal import WidgetNib

/// Effects, and views and controllers that show pictures of a program: games, films, scenes in space. The engine has no
/// such pictures: hosts find the classes, and show the subviews of those that they do not know.
extension ElementRule {
    static let frameworkViews: [String: ElementRule] = [
        "visualEffectView": ElementRule(
            className: "UIVisualEffectView", base: "view", objects: ["contentView": "UIVisualEffectViewContentView"]),
        "arView": ElementRule(className: "ARView", base: "view"),
        "pdfView": ElementRule(className: "PDFView", base: "view"),
        "glkView": ElementRule(
            className: "GLKView", base: "view",
            attributes: [
                "enableSetNeedsDisplay": .truth("GLKViewEnableSetNeedsDisplayCoderKey", default: true),
                "drawableColorFormat": .look, "drawableDepthFormat": .look, "drawableStencilFormat": .look,
                "drawableMultisample": .look,
            ]),
        "mtkView": ElementRule(
            className: "MTKView", base: "view",
            attributes: [
                "enableSetNeedsDisplay": .truth("MTKViewEnableSetNeedsDisplayCoderKey", default: false),
                "paused": .truth("MTKViewPausedCoderKey", default: false),
                "autoResizeDrawable": .truth("MTKViewAutoResizeDrawableCoderKey", default: true),
                "preferredFramesPerSecond": .integer("MTKViewPreferredFramesPerSecondCoderKey"),
                "sampleCount": .look, "clearDepth": .look, "clearStencil": .look, "colorPixelFormat": .look,
                "depthStencilPixelFormat": .look, "framebufferOnly": .look,
            ],
            looks: ["mtkClearColor"]),
        "skView": ElementRule(
            className: "SKView", base: "view",
            attributes: [
                "paused": .truth("_paused", default: false), "asynchronous": .look, "allowsTransparency": .look,
                "ignoresSiblingOrder": .look, "shouldCullNonVisibleNodes": .look, "preferredFramesPerSecond": .look,
                "customFrameRate": .look, "sceneName": .look,
            ]),
        "arskView": ElementRule(className: "ARSKView", base: "skView"),
        "sceneKitView": ElementRule(
            className: "SCNView", base: "view",
            attributes: [
                "allowsCameraControl": .truth("allowsCameraControl", default: false),
                "playing": .truth("playing", default: false), "loops": .truth("loops", default: false),
                "autoenablesDefaultLighting": .look, "jitteringEnabled": .look, "wantsMultisampling": .look,
                "preferredRenderingAPI": .look, "preferredFramesPerSecond": .look, "antialiasingMode": .look,
                "sceneName": .look,
            ],
            looks: ["sceneKitScene"]),
        "arscnView": ElementRule(
            className: "ARSCNView", base: "sceneKitView",
            attributes: [
                "automaticallyUpdatesLighting": .look, "rendersCameraGrain": .look, "rendersMotionBlur": .look,
            ]),
        "adBannerView": ElementRule(className: "ADBannerView", base: "view", attributes: ["adType": .look]),
        "inputView": ElementRule(
            className: "UIInputView", base: "view",
            attributes: ["allowsSelfSizing": .look, "inputViewStyle": .look]),
        "calendarView": ElementRule(className: "UICalendarView", base: "view", looks: ["calendar"]),
        "colorWell": ElementRule(
            className: "UIColorWell", base: "control",
            attributes: ["title": .look, "supportsAlpha": .look], colors: ["selectedColor": "UISelectedColor"]),
    ]

    static let frameworkScreens: [String: ElementRule] = [
        "glkViewController": ElementRule(
            className: "GLKViewController", base: "viewController",
            attributes: [
                "preferredFramesPerSecond": .look, "pauseOnWillResignActive": .look,
                "resumeOnDidBecomeActive": .look,
            ]),
        "avPlayerViewController": ElementRule(
            className: "AVPlayerViewController", base: "viewController",
            attributes: [
                "showsPlaybackControls": .truth("showsPlaybackControls", default: true),
                "videoGravity": .text("videoGravity"), "requiresLinearPlayback": .look,
                "allowsPictureInPicturePlayback": .look, "updatesNowPlayingInfoCenter": .look,
                "entersFullScreenWhenPlaybackBegins": .look, "exitsFullScreenWhenPlaybackEnds": .look,
            ]),
        "hostingController": ElementRule(className: "UIHostingController", base: "viewController"),
        "inputViewController": ElementRule(className: "UIInputViewController", base: "viewController"),
        "imagePickerController": ElementRule(className: "UIImagePickerController", base: "navigationController"),
    ]
}
