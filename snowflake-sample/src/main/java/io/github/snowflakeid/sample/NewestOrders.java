package io.github.snowflakeid.sample;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of orders, the newest one first, and what the next page begins before: nothing if this is the last one. */
record NewestOrders(List<PlacedOrder> orders, @Nullable OrderId older) {}
