"""GStreamer's RTSP server with a clip as a camera. Run by the system's Python (needs gi).

    python3 rtsp_camera.py CLIP PORT

Packets as they are in the file; when it is over the stream ends, as that of a camera that was
switched off.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402


def main() -> None:
    """Serve until killed."""
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(sys.argv[2])
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        f'( filesrc location="{sys.argv[1]}" ! qtdemux ! h264parse config-interval=-1 '
        "! rtph264pay name=pay0 pt=96 )"
    )
    factory.set_shared(True)
    server.get_mount_points().add_factory("/table", factory)
    server.attach(None)
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
