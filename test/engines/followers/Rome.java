// What a user of rome writes: `java Rome.java <feed>`.
import com.rometools.rome.io.SyndFeedInput;
import com.rometools.rome.io.XmlReader;
import java.net.URI;

public class Rome {
    public static void main(String[] args) throws Exception {
        var feed = new SyndFeedInput().build(new XmlReader(URI.create(args[0]).toURL().openStream()));
        // The link of the feed is its own address here, whatever its alternate is.
        System.out.printf("{\"entries\": %d, \"page\": \"%s\"}%n",
            feed.getEntries().size(), feed.getEntries().get(0).getLink());
    }
}
