package com.example;

import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;

class CounterStoreTests extends SegmentStoreContract {

    private InMemorySegmentStore store = new InMemorySegmentStore();

    @Override
    protected void openEmptyStore() {
        store = new InMemorySegmentStore();
    }

    @Override
    protected SegmentStore store() {
        return store;
    }

    @Override
    protected void closeStore() {}
}
