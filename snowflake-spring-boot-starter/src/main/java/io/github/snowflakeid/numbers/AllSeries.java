package io.github.snowflakeid.numbers;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The series of a context, for health and meters.
 *
 * @hidden
 */
public final class AllSeries {

    private final ObjectProvider<StoredDocumentNumbers> series;

    AllSeries(ObjectProvider<StoredDocumentNumbers> series) {
        this.series = series;
    }

    /** {@return the statistics by the names of the series} */
    public Map<String, SeriesStatistics> statistics() {
        Map<String, SeriesStatistics> all = new TreeMap<>();
        series.forEach(each -> all.put(each.name(), each.statistics()));
        return all;
    }
}
