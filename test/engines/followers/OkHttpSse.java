// What a user of okhttp-sse writes, with OkHttp's own read timeout of 10 seconds: `java OkHttpSse.java <stream> <seconds>`.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.sse.EventSource;
import okhttp3.sse.EventSourceListener;
import okhttp3.sse.EventSources;

public class OkHttpSse {
    public static void main(String[] args) throws Exception {
        var changes = new AtomicInteger();
        List<String> snapshots = new ArrayList<>();
        var request = new Request.Builder().url(args[0]).header("Accept", "text/event-stream").build();
        EventSources.createFactory(new OkHttpClient()).newEventSource(request, new EventSourceListener() {
            @Override
            public void onEvent(EventSource source, String id, String type, String data) {
                if ("snapshot".equals(type)) snapshots.add(data);
                else changes.incrementAndGet();
            }

            @Override
            public void onFailure(EventSource source, Throwable error, Response response) {
                System.err.println(error);
                System.exit(1);
            }
        });
        Thread.sleep((long) (1000 * Double.parseDouble(args[1])));
        System.out.printf("{\"changes\": %d, \"snapshots\": %s}%n", changes.get(), snapshots);
        System.exit(0);
    }
}
