// A widget in an app for Android. The folder that `widget export Clock.zip --html` has written is `assets/widget` of the app.
package com.example.widgets

import android.app.Activity
import android.os.Bundle
import android.webkit.WebResourceRequest
import android.webkit.WebResourceResponse
import android.webkit.WebView
import android.webkit.WebViewClient
import androidx.webkit.WebViewAssetLoader

class WidgetActivity : Activity() {
    private lateinit var web: WebView

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        // Files of the app have an origin, so that the widget's records and cached values are kept.
        val loader = WebViewAssetLoader.Builder()
            .addPathHandler("/widget/", WebViewAssetLoader.AssetsPathHandler(this).below("widget/"))
            .build()
        web = WebView(this)
        web.settings.javaScriptEnabled = true
        web.settings.domStorageEnabled = true
        web.webViewClient = object : WebViewClient() {
            override fun shouldInterceptRequest(view: WebView, request: WebResourceRequest): WebResourceResponse? =
                loader.shouldInterceptRequest(request.url)

            // The widget's page stays; links of the app go elsewhere.
            override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean =
                request.url.host != "appassets.androidplatform.net"
        }
        setContentView(web)
        web.loadUrl("https://appassets.androidplatform.net/widget/index.html")
    }

    // The page's history has the widget's screens.
    @Deprecated("Deprecated in Java")
    override fun onBackPressed() {
        if (web.canGoBack()) web.goBack() else super.onBackPressed()
    }
}

private fun WebViewAssetLoader.AssetsPathHandler.below(folder: String) =
    WebViewAssetLoader.PathHandler { path -> handle(folder + path) }
