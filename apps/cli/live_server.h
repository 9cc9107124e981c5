#pragma once

#include <memory>
#include <string>

namespace stiction::cli {

/// Serves one page and one stream of records to browsers on this machine: on 127.0.0.1, at a port that the system
/// chooses, to those who know the token in the address. It only answers GET for these two, reads no file, and refuses
/// requests whose Host or Origin is not its own, so that no other web site can reach it through a browser. A connection
/// that has not sent its request after five seconds is closed; until then it keeps nobody out. Sixteen answers go on at
/// a time; who comes then is told so (503).
class LiveServer {
 public:
  /// IoError if no port can be had.
  explicit LiveServer(std::string page);
  /// Ends the streams once they have sent everything, but waits for no browser longer than three seconds.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  /// "http://127.0.0.1:PORT/?token=..."
  const std::string& address() const;

  /// Has anyone asked for the stream yet?
  bool was_seen() const;

  /// A record for all streams, those that begin later too: they get its length (uint32, little-endian) and its bytes.
  /// Where records become too many, every other one that is not `kept` is forgotten.
  void send(std::string record, bool kept = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction::cli
