// Right only if every act is refused.
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.Callable;

class Solution {
    static long pair_sum(long a, long b) {
        List<Callable<Object>> acts = List.of(
                () -> new ServerSocket(0),
                () -> new DatagramSocket(),
                () -> new MulticastSocket(),
                () -> SocketChannel.open(),
                () -> DatagramChannel.open(),
                () -> SocketChannel.open(UnixDomainSocketAddress.of("/tmp/socket")),
                () -> ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of("/tmp/socket")),
                () -> InetAddress.getByName("example.org"),
                () -> InetAddress.getByName("127.0.0.1").isReachable(100) ? 1 : List.of().get(0),
                () -> HttpClient.newHttpClient().send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1/")).build(),
                        HttpResponse.BodyHandlers.ofString()));
        for (Callable<Object> act : acts) {
            try {
                act.call();
            } catch (Exception | Error denied) {
                continue;
            }
            throw new IllegalStateException("act " + acts.indexOf(act));
        }
        return a + b;
    }
}
