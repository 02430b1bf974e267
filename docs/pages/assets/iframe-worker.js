// A worker in a frame: browsers start no worker from the disk, and the search of these pages runs in one.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    this.frame = frame;
    this.ready = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    this.pass = (event) => {
      if (event.source === frame.contentWindow) {
        this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      }
    };
    addEventListener("message", this.pass);
    const inner = frame.contentDocument;
    inner.open();
    inner.write(
      "<!doctype html><script>" +
        "postMessage = (data) => parent.postMessage(data, '*');" +
        "importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done) => {" +
        "const script = document.createElement('script');" +
        "script.src = url; script.onload = done; document.head.append(script); })), Promise.resolve());" +
        "</" + "script><script src='" + new URL(url, location) + "'></" + "script>",
    );
    inner.close();
  }

  postMessage(data) {
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
  }

  terminate() {
    removeEventListener("message", this.pass);
    this.frame.remove();
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = IFrameWorker;
}
