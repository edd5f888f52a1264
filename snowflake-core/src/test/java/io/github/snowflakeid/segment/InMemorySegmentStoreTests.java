package io.github.snowflakeid.segment;

class InMemorySegmentStoreTests extends SegmentStoreContract {

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
    protected void closeStore() {
        store.clear();
    }
}
