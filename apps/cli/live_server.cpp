#include "apps/cli/live_server.h"

// asio 1.18 uses std::exchange without asking for it.
// clang-format off
#include <utility>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
// clang-format on
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <list>
#include <random>
#include <thread>

#include "stiction/base/fault.h"

#include "apps/cli/live_records.h"

namespace stiction::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Request = http::request<http::empty_body>;

constexpr std::size_t most_streams = 16, most_visitors = 256;
// For a page that reads nothing when the run has ended, before it is cut off. A page that draws in software on a busy
// machine pauses for up to 3 s; a page that hangs holds the program up for this long.
constexpr auto last_wait = std::chrono::seconds(10);
constexpr auto patience = std::chrono::seconds(5);  // for a request to come

// 128 bits that nobody can guess.
std::string make_token() {
  std::random_device device;
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", device());
  return token;
}

// Takes as long for a near miss as for any other.
bool is_same(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i]));
  return difference == 0;
}

std::string_view view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

// Somebody who has connected and has not yet said what for. Costs no thread, and does not stay long.
struct Visitor {
  explicit Visitor(tcp::socket socket) : stream(std::move(socket)) { parser.header_limit(8192); }
  boost::beast::basic_stream<tcp, tcp::socket::executor_type> stream;
  boost::beast::flat_buffer buffer;
  http::request_parser<http::empty_body> parser;
};

struct Answer {
  http::status status = http::status::ok;
  bool streams = false;
  std::string words;  // why not
};

}  // namespace

struct LiveServer::Impl {
  explicit Impl(std::string page_in) : page(std::move(page_in)), acceptor(context) {
    boost::system::error_code fault;
    const tcp::endpoint place(asio::ip::address_v4::loopback(), 0);
    acceptor.open(place.protocol(), fault);
    if (!fault) acceptor.bind(place, fault);
    if (!fault) acceptor.listen(asio::socket_base::max_listen_connections, fault);
    if (fault) throw IoError("no port is available for the live view: " + fault.message());
    port = acceptor.local_endpoint().port();
    address = fmt::format("http://127.0.0.1:{}/?token={}", port, token);
    accept();
    acceptor_thread = std::thread([this] { context.run(); });
  }

  void accept() {
    acceptor.async_accept([this](const boost::system::error_code& fault, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!fault) welcome(std::move(socket));
      // Without a free descriptor there is none in the next moment either.
      pause.expires_after(std::chrono::milliseconds(fault ? 100 : 0));
      pause.async_wait([this](const boost::system::error_code&) {
        if (acceptor.is_open()) accept();
      });
    });
  }

  // Who says nothing has to go: after a while, or when too many do.
  void welcome(tcp::socket socket) {
    std::erase_if(visitors, [](const std::weak_ptr<Visitor>& visitor) { return visitor.expired(); });
    if (visitors.size() >= most_visitors) close(visitors.front());
    const auto visitor = std::make_shared<Visitor>(std::move(socket));
    visitors.push_back(visitor);
    visitor->stream.expires_after(patience);
    http::async_read_header(visitor->stream, visitor->buffer, visitor->parser,
                            [this, visitor](const boost::system::error_code& fault, std::size_t) {
                              if (!fault) start(visitor->stream.release_socket(), judge(visitor->parser.get()));
                            });
  }
  static void close(const std::weak_ptr<Visitor>& visitor) {
    if (const auto present = visitor.lock()) present->stream.close();
  }

  // A thread for each answer: there are a handful.
  void start(tcp::socket socket, Answer answer) {
    const std::lock_guard lock(mutex);
    if (open >= most_streams) return send_away(std::move(socket));
    if (answer.streams) seen = true;
    ++open;
    sockets.push_back(std::move(socket));
    const auto place = std::prev(sockets.end());
    std::thread([this, place, answer = std::move(answer)] {
      serve(*place, answer);
      const std::lock_guard last(mutex);
      sockets.erase(place);
      --open;
      none_open.notify_all();
    }).detach();
  }

  // Without a thread: these few words fit into what the system keeps for a connection.
  static void send_away(tcp::socket socket) {
    struct Refusal {
      tcp::socket socket;
      http::response<http::string_body> response = make_response(
          {http::status::service_unavailable, false, "too many pages show this run: close one of them"}, {});
    };
    const auto refusal = std::make_shared<Refusal>(Refusal{std::move(socket)});
    http::async_write(refusal->socket, refusal->response, [refusal](boost::system::error_code fault, std::size_t) {
      refusal->socket.shutdown(tcp::socket::shutdown_both, fault);
    });
  }

  Answer judge(const Request& request) const {
    const std::string_view target = view(request.target());
    const std::string_view host = view(request[http::field::host]), origin = view(request[http::field::origin]);
    const std::string own = fmt::format("127.0.0.1:{}", port), local = fmt::format("localhost:{}", port);
    if (host != own && host != local) return {http::status::forbidden, false, "wrong Host"};
    if (!origin.empty() && origin != "http://" + own && origin != "http://" + local)
      return {http::status::forbidden, false, "wrong Origin"};
    if (request.method() != http::verb::get) return {http::status::method_not_allowed, false, "only GET"};
    const std::string_view path = target.substr(0, target.find('?'));
    if (path != "/" && path != "/stream") return {http::status::not_found, false, "nothing here"};
    constexpr std::string_view key = "?token=";
    const std::string_view query = target.substr(path.size());
    if (!query.starts_with(key) || !is_same(query.substr(key.size()), token))
      return {http::status::forbidden, false, "wrong token: use the address that stiction printed"};
    return {http::status::ok, path == "/stream", {}};
  }

  void serve(tcp::socket& socket, const Answer& answer) {
    boost::system::error_code fault;
    if (answer.streams) {
      stream(socket);
    } else {
      http::write(socket, make_response(answer, page), fault);
    }
    socket.shutdown(tcp::socket::shutdown_both, fault);
  }

  static http::response<http::string_body> make_response(const Answer& answer, const std::string& page) {
    http::response<http::string_body> response(answer.status, 11);
    response.set(http::field::content_type, answer.words.empty() ? "text/html; charset=utf-8" : "text/plain");
    set_common(response);
    response.body() = answer.words.empty() ? page : answer.words + "\n";
    response.prepare_payload();
    return response;
  }

  template <class Response>
  static void set_common(Response& response) {
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Referrer-Policy", "no-referrer");
    response.keep_alive(false);
  }

  void stream(tcp::socket& socket) {
    boost::system::error_code fault;
    http::response<http::empty_body> head(http::status::ok, 11);
    head.set(http::field::content_type, "application/octet-stream");
    set_common(head);
    head.chunked(true);
    http::response_serializer<http::empty_body> serializer(head);
    http::write_header(socket, serializer, fault);
    std::uint64_t last = 0;
    while (!fault) {
      const std::vector<LiveRecords::Bytes> news = records.take(last);
      if (news.empty()) break;
      std::string block;
      for (const LiveRecords::Bytes& record : news) {
        const auto length = static_cast<std::uint32_t>(record->size());
        for (int byte = 0; byte < 4; ++byte) block += static_cast<char>(length >> (8 * byte) & 255u);
        block += *record;
      }
      asio::write(
          socket, http::make_chunk(asio::buffer(block)),
          [this](const boost::system::error_code& end, std::size_t) {
            ++pieces_read;
            return end ? std::size_t{0} : std::size_t{65536};
          },
          fault);
      // A screen shows no more than this.
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    if (!fault) asio::write(socket, http::make_chunk_last(), fault);
  }

  void stop() {
    records.close();
    asio::post(context, [this] {
      boost::system::error_code ignored;
      acceptor.close(ignored);
      pause.cancel();
      for (const auto& visitor : visitors) close(visitor);
    });
    acceptor_thread.join();
    std::unique_lock lock(mutex);
    for (std::uint64_t before = pieces_read - 1; open != 0 && before != pieces_read;) {
      before = pieces_read;
      none_open.wait_for(lock, last_wait, [this] { return open == 0; });
    }
    // Who has not read by now is cut off: that wakes the threads.
    boost::system::error_code ignored;
    for (tcp::socket& socket : sockets) socket.shutdown(tcp::socket::shutdown_both, ignored);
    none_open.wait(lock, [this] { return open == 0; });
  }

  std::string page, address;
  const std::string token = make_token();
  unsigned short port = 0;
  std::atomic<std::uint64_t> pieces_read{0};  // by all pages: as long as it grows somebody reads
  LiveRecords records;
  asio::io_context context;
  tcp::acceptor acceptor;
  asio::steady_timer pause{context};
  std::deque<std::weak_ptr<Visitor>> visitors;  // touched by the thread of the context only
  std::thread acceptor_thread;
  std::mutex mutex;
  std::condition_variable none_open;
  std::list<tcp::socket> sockets;
  std::size_t open = 0;
  bool seen = false;  // has there been a stream?
};

LiveServer::LiveServer(std::string page) : impl_(std::make_unique<Impl>(std::move(page))) {}

LiveServer::~LiveServer() {
  impl_->stop();
}

const std::string& LiveServer::address() const {
  return impl_->address;
}

bool LiveServer::was_seen() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->seen;
}

void LiveServer::send(std::string record, bool kept) {
  impl_->records.add(std::move(record), kept);
}

}  // namespace stiction::cli
