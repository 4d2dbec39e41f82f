// Runs before the page's own scripts: fixes clock and randomness, and takes away what a crawl does not need.
(() => {
  const CLOCK = __CLOCK__;
  let calls = 0;
  const RealDate = Date;
  const now = () => CLOCK + calls++;
  const FixedDate = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length ? args : [now()], self),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  globalThis.Date = FixedDate;
  RealDate.prototype.constructor = FixedDate;
  let seed = __SEED__ >>> 0;
  const random = () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let t = seed;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = random;
  if (globalThis.crypto) {
    crypto.getRandomValues = (array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
      return array;
    };
    crypto.randomUUID = () => {
      const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    };
  }
  for (const name of ["WebSocket", "WebSocketStream", "WebTransport", "RTCPeerConnection", "webkitRTCPeerConnection", "SharedWorker", "Notification", "PushManager", "PaymentRequest", "showOpenFilePicker", "showSaveFilePicker"]) {
    try { delete globalThis[name]; } catch {}
  }
  for (const name of ["serviceWorker", "geolocation", "mediaDevices", "clipboard", "credentials", "usb", "bluetooth", "serial", "hid", "share"]) {
    try { Object.defineProperty(Navigator.prototype, name, { value: undefined, configurable: true }); } catch {}
  }
  globalThis.open = () => null;
  globalThis.alert = () => undefined;
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
  globalThis.print = () => undefined;
  if (globalThis.Navigator) Navigator.prototype.sendBeacon = () => true;
})();
